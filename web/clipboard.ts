/**
 * Copies a text to the clipboard. Rejects if the browser refuses. Uses `execCommand` on plain http, where
 * browsers do not offer `navigator.clipboard`.
 */
export async function copyTextToClipboard(text: string) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  // Appends the text area to an open dialog, because outside of it the browser selects no text.
  const container = document.querySelector('dialog:modal') ?? document.body
  container.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('The browser does not copy')
}
