/**
 * Copies a text to the clipboard. Rejects if the browser refuses. On plain http, browsers offer only
 * `execCommand`.
 */
export async function copyTextToClipboard(text: string) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  // While a dialog is open, the browser selects text only inside of it.
  const container = document.querySelector('dialog:modal') ?? document.body
  container.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('The browser does not copy')
}
