import { oversizedAnswerFailure } from '../../model/http.ts';

/**
 * The text of an answer, read as UTF-8. A packed body is unpacked on the way, and a small one may stand for a huge text:
 * its bytes are counted as they come, and the read ends at `atMost`.
 * @throws HttpFailure, and whatever the network stack throws
 */
export async function readBody(response: Response, atMost: number): Promise<string> {
  const { body, headers } = response;
  if (!body) return '';
  const announced = Number(headers.get('content-length') ?? 0);
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const refuse = () => {
    // The rest of the body is dropped without waiting for it, so that the error comes at once.
    reader.cancel().catch(() => undefined);
    return oversizedAnswerFailure(atMost);
  };
  if (announced > atMost) throw refuse();
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > atMost) throw refuse();
    text += decoder.decode(value, { stream: true });
  }
}
