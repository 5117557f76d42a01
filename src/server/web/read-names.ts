/** The names that were typed into a field of a form, each once: between spaces or commas. */
export function readNames(form: URLSearchParams, field: string): readonly string[] {
  const typed = (form.get(field) ?? '').split(/[\s,]+/);
  return [...new Set(typed.filter((name) => name !== ''))];
}
