// This file finds web and e-mail addresses in a text that a person wrote. Its time grows with the length of
// the text, not faster.

/** The part of a text that is an address. `label` is absent if readers see the text as it was written. */
interface Address {
  text: string
  href: string
  label?: string
}

/*
 * Patterns of links: web addresses (RFC 3987, letters of any script), `www.` without a scheme, and e-mail
 * addresses. A host ends at its last ASCII label, because Japanese text may follow without a space. A path
 * ends at a space, an invisible character, a quotation mark, or a bracket or punctuation mark of Chinese or
 * Japanese text: 、 。 ， ！ 」. USER is a web address with a user name or password, which is never a link,
 * because it looks as if it led to the host that its user name spells.
 */
const HOST = String.raw`(?:[\p{L}\p{N}\p{M}_-]+\.)*(?:[a-z][a-z0-9-]*|\d{1,3})(?::\d{1,5})?`
const PATH = String.raw`[/?#][^\s\p{Cc}\p{Cf}<>"“”„‘’‚«»‹›…{}|\\^${'`'}\u3000-\u3004\u3008-\u3020\u3030\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]*`
const USER = String.raw`https?://[\w!$%&'()*+,;=:.~-]*@(?:${HOST}(?:${PATH})?)?`
const EMAIL = String.raw`(?<![\p{Script=Latin}\p{N}.+_-])[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,}`
const addresses = new RegExp(
  String.raw`(${USER}|https?://${HOST}(?:${PATH})?|(?<![\p{L}\p{N}@._/-])www\.${HOST}(?:${PATH})?|${EMAIL})`,
  'iu',
)

/** Splits a text: those at odd indexes look like addresses, and are for `parseAddress`. */
export const splitAtAddresses = (text: string) => text.split(addresses)

/** The longest host of the domain name system (RFC 1035). `URL` takes quadratic time for longer ones. */
const MAX_HOST_LENGTH = 253

/** Returns null if the text is no address after all. */
export function parseAddress(found: string): Address | null {
  const text = trimPunctuation(found)
  const [scheme, authority] = splitUrl(text)
  if (scheme && authority.includes('@')) return null
  const host = authority.replace(/:\d*$/, '')
  if (!text || host.length > MAX_HOST_LENGTH) return null
  const href = scheme ? text : /^www\./i.test(text) ? `https://${text}` : `mailto:${text}`
  if (!URL.canParse(href)) return null
  if (!isMisleading(host)) return { text, href }
  return { text, href, label: text.replace(host, new URL(href).hostname) }
}

/** Returns the scheme of an address, which may be empty, and what stands before its path. */
function splitUrl(text: string) {
  const scheme = /^https?:\/\//i.exec(text)?.[0] ?? ''
  const path = text.slice(scheme.length).search(/[/?#]/)
  return [scheme, text.slice(scheme.length, path < 0 ? undefined : scheme.length + path)] as const
}

/**
 * Returns an address without the punctuation at its end, because that belongs to the sentence around the
 * address. Also removes a “]”, and a “)” that was not opened inside the address.
 */
function trimPunctuation(address: string) {
  let unopened = count(address, ')') - count(address, '(')
  let end = address.length
  for (; end > 0; end--) {
    const last = address[end - 1]!
    if (last === ')' && unopened > 0) unopened--
    else if (!".,:;!?'*~・]".includes(last)) break
  }
  return address.slice(0, end)
}

const count = (text: string, sign: string) => text.split(sign).length - 1

/**
 * A label of a host that is shown as it is: ASCII with the accents of Western Europe, or Chinese, Japanese and
 * Korean letters without ASCII ones, which could spell another host: google.comノa.example. All others are shown
 * in Punycode, because some of their letters look like Latin ones or like a slash.
 */
const familiar = /^(?:[a-z\d_\u00c0-\u017f-]*|[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}ー\d-]*)$/iu

/** Whether a host may look like another: https://pаypal.example with a Cyrillic а. */
const isMisleading = (host: string) =>
  /[^\0-\x7f]/.test(host) && !host.split('.').every((label) => familiar.test(label))
