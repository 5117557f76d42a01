// What is on the pages of a PDF: as text, and as dots of colour.
import { PDFiumLibrary } from '@hyzyla/pdfium';

/** One page of paper. */
export interface PaperPage {
  readonly text: string;
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and opacity of one dot after the other, from the upper left. */
  readonly dots: Uint8Array;
}

/** Reads a PDF, its dots at 72 to the inch times `scale`. */
export async function readPdf(file: Uint8Array, scale = 1): Promise<PaperPage[]> {
  const library = await PDFiumLibrary.init();
  try {
    const document = await library.loadDocument(file);
    const pages: PaperPage[] = [];
    for (const page of document.pages()) {
      // Drawing closes the page.
      const text = page.getText();
      const { width, height, data } = await page.render({ scale, render: 'bitmap' });
      pages.push({ text, width, height, dots: data });
    }
    document.destroy();
    return pages;
  } finally {
    library.destroy();
  }
}

/** True where a page has dots of about this colour: `#ffebe9`. */
export function hasColor({ dots }: PaperPage, color: string): boolean {
  const wanted = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  for (let at = 0; at < dots.length; at += 4) {
    if (wanted.every((part, index) => Math.abs(part - (dots[at + index] ?? 0)) <= 2)) return true;
  }
  return false;
}
