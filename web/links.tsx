import type { ReactNode } from 'react'

/*
 * Patterns of links: web addresses (RFC 3987, letters of any script), `www.` without a scheme, and e-mail
 * addresses. A host ends at its last ASCII label, because Japanese text may follow without a space. A path
 * ends at a space, a quotation mark, or a bracket or punctuation mark of Chinese or Japanese text: 、 。 ， ！
 * 」.
 */
const HOST = String.raw`(?:[\p{L}\p{N}\p{M}_-]+\.)*(?:[a-z][a-z0-9-]*|\d{1,3})(?::\d{1,5})?`
const PATH = String.raw`[/?#][^\s\p{Cc}<>"“”„‘’‚«»‹›…{}|\\^${'`'}\u3000-\u3004\u3008-\u3020\u3030\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]*`
const EMAIL = String.raw`(?<![\p{Script=Latin}\p{N}.+_-])[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,}`
const addresses = new RegExp(
  String.raw`(https?://${HOST}(?:${PATH})?|(?<![\p{L}\p{N}@._/-])www\.${HOST}(?:${PATH})?|${EMAIL})`,
  'iu',
)

/** Turns the addresses in a text into links. */
export const linkifyUrlsAndEmails = (text: string): ReactNode[] =>
  text.split(addresses).flatMap((part, at) => {
    const address = at % 2 ? trimPunctuation(part) : ''
    const href = targetOf(address)
    if (!URL.canParse(href)) return part
    return [
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text never change their order
      <a key={at} className="link" href={href} target="_blank" rel="noopener nofollow ugc">
        {address}
      </a>,
      part.slice(address.length),
    ]
  })

function targetOf(address: string) {
  if (/^https?:/i.test(address)) return address
  return /^www\./i.test(address) ? `https://${address}` : address && `mailto:${address}`
}

/**
 * Removes punctuation from the end of an address, because it belongs to the sentence around the address. Also
 * removes a “]”, and a “)” that was not opened inside the address.
 */
function trimPunctuation(address: string): string {
  const cut = address.replace(/[.,:;!?'*~・]+$/, '')
  const unopened = cut.endsWith(')') && cut.split(')').length > cut.split('(').length
  if (unopened || /[\]]$/.test(cut)) return trimPunctuation(cut.slice(0, -1))
  return cut
}
