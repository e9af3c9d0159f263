import type { ReactNode } from 'react'

// Only the letters of an address, since Japanese text may follow one without a space.
const addresses = /(https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+)/i

/** Turns the web addresses in a text into links. */
export const withLinks = (text: string): ReactNode[] =>
  text.split(addresses).flatMap((part, at) => {
    const address = at % 2 ? withoutTail(part) : ''
    if (!URL.canParse(address)) return part
    return [
      // biome-ignore lint/suspicious/noArrayIndexKey: what was written never changes its order
      <a key={at} className="link" href={address} target="_blank" rel="noopener nofollow ugc">
        {address}
      </a>,
      part.slice(address.length),
    ]
  })

/** Marks at the end belong to the sentence, and a bracket too unless it was opened inside the address. */
function withoutTail(address: string): string {
  const cut = address.replace(/[.,:;!?'*~]+$/, '')
  const unopened = cut.endsWith(')') && cut.split(')').length > cut.split('(').length
  if (unopened || /[\]]$/.test(cut)) return withoutTail(cut.slice(0, -1))
  return cut
}
