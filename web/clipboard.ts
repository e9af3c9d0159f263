import { isBlank } from '#core/text/unicode.ts'

/** Rejects if the browser refuses. On plain http, browsers offer only `execCommand`. */
export async function copyText(text: string) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const area = document.createElement('textarea')
  area.value = text
  // Outside of an open dialog the browser selects no text.
  const container = document.querySelector('dialog:modal') ?? document.body
  container.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  if (!done) throw new Error('The browser does not copy')
}

/**
 * Without the picture that office programs add to a copied text. They add text to a copied picture too, in which
 * nothing can be seen.
 */
export const pastedFiles = (data: Pick<DataTransfer, 'files' | 'types' | 'getData'>) =>
  data.types.includes('text/html') && !isBlank(data.getData('text/plain')) ? [] : [...data.files]
