import type { ReactNode } from 'react'

/*
 * Addresses of the web (RFC 3987, with letters of any script), of `www.` without a scheme, and of e-mail.
 * A host ends at its last ASCII label, since Japanese text may follow without a space. A path goes on until a
 * space, a quotation mark, a bracket of another script, or its punctuation: 、 。 ， ！ 」.
 */
const HOST = String.raw`(?:[\p{L}\p{N}\p{M}_-]+\.)*(?:[a-z][a-z0-9-]*|\d{1,3})(?::\d{1,5})?`
const PATH = String.raw`[/?#][^\s\p{Cc}<>"“”„‘’‚«»‹›…{}|\\^${'`'}\u3000-\u3004\u3008-\u3020\u3030\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]*`
const EMAIL = String.raw`(?<![\p{Script=Latin}\p{N}.+_-])[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,}`
const addresses = new RegExp(
  String.raw`(https?://${HOST}(?:${PATH})?|(?<![\p{L}\p{N}@._/-])www\.${HOST}(?:${PATH})?|${EMAIL})`,
  'iu',
)

/** Turns the addresses in a text into links. */
export const withLinks = (text: string): ReactNode[] =>
  text.split(addresses).flatMap((part, at) => {
    const address = at % 2 ? withoutTail(part) : ''
    const href = targetOf(address)
    if (!URL.canParse(href)) return part
    return [
      // biome-ignore lint/suspicious/noArrayIndexKey: what was written never changes its order
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

/** Marks at the end belong to the sentence, and a bracket too unless it was opened inside the address. */
function withoutTail(address: string): string {
  const cut = address.replace(/[.,:;!?'*~・]+$/, '')
  const unopened = cut.endsWith(')') && cut.split(')').length > cut.split('(').length
  if (unopened || /[\]]$/.test(cut)) return withoutTail(cut.slice(0, -1))
  return cut
}
