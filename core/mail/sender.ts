/**
 * Returns the name (maybe empty) and the address of `Name <address>` or of an address; null for other texts.
 */
export function parseSender(text: string): { name: string; address: string } | null {
  const at = text.endsWith('>') ? text.lastIndexOf('<') : -1
  const address = at < 0 ? text : text.slice(at + 1, -1)
  if (!/^[^\s<>()[\]",:;@\\]+@[^\s<>()[\]",:;@\\]+$/.test(address)) return null
  if (/[\r\n]/.test(text)) return null
  // A name between quotation marks is meant without them.
  return {
    name: text
      .slice(0, Math.max(0, at))
      .trim()
      .replace(/^"(.*)"$/, '$1'),
    address,
  }
}
