import { INVISIBLE } from '#core/text/unicode.ts'

// Finds web and e-mail addresses in a text, in linear time.

/** `label` is absent if readers see the text as it was written. */
interface Address {
  text: string
  href: string
  label?: string
}

/*
 * Patterns of links: web addresses (RFC 3987, letters of any script), `www.` without a scheme, and e-mail
 * addresses. A host is an IPv6 address in brackets, or ends at its last ASCII label, because Japanese text may
 * follow without a space; if no such label can be its last, it ends where the script of LAST changes. A path
 * ends at a space, an invisible character, an arrow, an emoji, a quotation mark, or a bracket or punctuation
 * mark of Chinese or Japanese text: 、 。 ， ！ 」. USER is a web address with a user name or password, which is
 * never a link, because it looks as if it led to the host that its user name spells.
 */
const LABELS = String.raw`(?:[\p{L}\p{N}\p{M}_-]+\.)`
const NO_SPACES = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー\p{sc=Hang}`
const LAST = String.raw`(?:[\p{sc=Kana}ー]+|\p{sc=Hira}+|\p{sc=Han}+|[가-힣]+|(?:(?![${NO_SPACES}\p{sc=Latin}])[\p{L}\p{M}])+)`
const ASCII_LAST = String.raw`(?:[a-z][a-z0-9-]*(?![a-z0-9-]|\.[\p{L}\p{N}])|\d{1,3})`
const HOST = String.raw`(?:\[[\da-f:.]{2,45}\]|${LABELS}*${ASCII_LAST}|${LABELS}+${LAST})(?::\d{1,5})?`
const ARROWS_AND_EMOJI = String.raw`\u2190-\u21ff\u27f0-\u27ff\u2900-\u297f\u2b00-\u2bff\p{ExtPict}\p{RI}\p{EMod}`
const PATH = String.raw`[/?#][^\s${INVISIBLE}${ARROWS_AND_EMOJI}<>"“”„‘’‚«»‹›…{}|\\^${'`'}\u3000-\u3004\u3008-\u3020\u3030\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]*`
const USER = String.raw`https?://[\w!$%&'()*+,;=:.~-]*@(?:${HOST}(?:${PATH})?)?`
const EMAIL = String.raw`(?<![\p{Script=Latin}\p{N}.+_-])[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z]{2,}`
const addresses = new RegExp(
  String.raw`(${USER}|https?://${HOST}(?:${PATH})?|(?<![\p{L}\p{N}@._/-])www\.${HOST}(?:${PATH})?|${EMAIL})`,
  'iu',
)

/** Texts at odd indexes look like addresses, and are for `parseAddress`. */
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

/** The scheme, which may be empty, and the part before the path. */
function splitUrl(text: string) {
  const scheme = /^https?:\/\//i.exec(text)?.[0] ?? ''
  const path = text.slice(scheme.length).search(/[/?#]/)
  return [scheme, text.slice(scheme.length, path < 0 ? undefined : scheme.length + path)] as const
}

/** Without the punctuation of the sentence around it, and without brackets that were not opened inside. */
function trimPunctuation(address: string) {
  const unopened: Record<string, number> = {
    ')': count(address, ')') - count(address, '('),
    ']': count(address, ']') - count(address, '['),
  }
  let end = address.length
  for (; end > 0; end--) {
    const last = address[end - 1]!
    if (unopened[last]! > 0) unopened[last]!--
    else if (!".,:;!?'*~・".includes(last)) break
  }
  return address.slice(0, end)
}

const count = (text: string, sign: string) => text.split(sign).length - 1

/**
 * A label of a host that is shown as it is: ASCII with the accents of Western Europe, or Chinese, Japanese and
 * Korean letters without ASCII ones, which could spell another host: google.comノa.example. All others are shown
 * in Punycode, because some of their letters look like Latin ones or like a slash.
 */
const familiar = /^(?:[a-z\d_\u00c0-\u017f-]*|[\p{sc=Hani}\p{sc=Hira}\p{sc=Kana}가-힣ー\d-]*)$/iu

/** Whether a host may look like another: https://pаypal.example with a Cyrillic а. */
const isMisleading = (host: string) =>
  /[^\0-\x7f]/.test(host) && !host.split('.').every((label) => familiar.test(label))
