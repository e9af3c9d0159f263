import { countCodePoints, foldCaseAndWidth } from '#core/unicode.ts'

// This file finds web addresses, mentions (`@aya`) and tags (`#garden`) in a text that a person wrote. The
// server stores the mentions and tags, and browsers show all three as links, so both use this file.

/** The maximum number of code points of a handle. */
export const MAX_HANDLE_LENGTH = 30
/**
 * The maximum number of different people, and of different tags, in one text. The mentions and tags after the
 * maximum are plain text.
 */
export const MAX_MENTIONS_PER_TEXT = 20
export const MAX_TAGS_PER_TEXT = 20
/** The maximum number of code points of a tag. */
export const MAX_TAG_LENGTH = 50

/**
 * A handle that a mention may mean. `text` is the part of the written text that stands for this handle, with
 * the `@`.
 */
interface PossibleHandle {
  handle: string
  text: string
}
/**
 * A part of a text: plain text, a web or e-mail address, a mention or a tag. A mention has several possible
 * handles if words follow the handle without a space, as in Japanese: `@ayaさんへ` can mean `ayaさんへ` or `aya`.
 * The longest handle is first; the first one that exists is the mentioned person.
 */
export type TextPart =
  | { kind: 'plain'; text: string }
  | { kind: 'address'; text: string; href: string }
  | { kind: 'mention'; text: string; handles: readonly PossibleHandle[] }
  | { kind: 'tag'; text: string; tag: string }

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

/*
 * A mention or a tag must not follow a Latin letter, a digit or one of the characters `_@＠#＃&=/`, so `a@b`
 * and `C#` are neither. Japanese letters may stand directly before it, because Japanese has no spaces.
 */
const WORD = String.raw`[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*`
const mentionsAndTags = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{N}_@＠#＃&=/])([@＠#＃])(${WORD})`,
  'gu',
)

/**
 * Splits a text into plain text, addresses, mentions and tags. The texts of the parts together are the whole
 * text.
 */
export function splitTextIntoLinksMentionsAndTags(text: string): TextPart[] {
  const found = { handles: new Set<string>(), tags: new Set<string>() }
  return text.split(addresses).flatMap((piece, index): TextPart[] => {
    if (index % 2 === 0) return splitPlainText(piece, index > 0, found)
    const address = trimPunctuation(piece)
    const href = toHref(address)
    if (!URL.canParse(href)) return [{ kind: 'plain', text: piece }]
    const rest: TextPart[] = address === piece ? [] : [{ kind: 'plain', text: piece.slice(address.length) }]
    return [{ kind: 'address', text: address, href }, ...rest]
  })
}

/**
 * Returns the different people whom a text mentions, each as an array of the handles that the mention may
 * mean.
 */
export function listPossibleHandlesOfEachMention(text: string): (readonly string[])[] {
  if (text.search(/[@＠]/) < 0) return []
  const handles = splitTextIntoLinksMentionsAndTags(text).flatMap((part) =>
    part.kind === 'mention' ? [part.handles] : [],
  )
  const different = new Map(handles.map((possible) => [possible[0]!.handle, possible]))
  return [...different.values()].map((possible) => possible.map(({ handle }) => handle))
}

/** Returns the different tags of a text, in the form in which the database stores tags. */
export const findTagsInText = (text: string): string[] =>
  text.search(/[#＃]/) < 0
    ? []
    : [
        ...new Set(
          splitTextIntoLinksMentionsAndTags(text).flatMap((part) => (part.kind === 'tag' ? [part.tag] : [])),
        ),
      ]

type Found = Record<'handles' | 'tags', Set<string>>

/**
 * Splits a text without web and e-mail addresses into plain text, mentions and tags. `isAfterAddress` says
 * that an address stands directly before the text.
 */
function splitPlainText(text: string, isAfterAddress: boolean, found: Found): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: all, 1: sign, 2: word, index } of text.matchAll(mentionsAndTags)) {
    const part =
      index === 0 && isAfterAddress
        ? undefined
        : /[@＠]/.test(sign!)
          ? toMention(all, word!, found.handles)
          : toTagPart(all, word!, found.tags)
    if (!part) continue
    if (index > end) parts.push({ kind: 'plain', text: text.slice(end, index) })
    parts.push(part)
    end = index + all.length
  }
  if (end < text.length) parts.push({ kind: 'plain', text: text.slice(end) })
  return parts
}

function toMention(text: string, word: string, found: Set<string>): TextPart | undefined {
  const handles = listPossibleHandles(word).map(({ handle, length }) => ({
    handle,
    text: text.slice(0, 1 + length),
  }))
  const key = handles[0]?.handle
  if (key === undefined || (!found.has(key) && found.size >= MAX_MENTIONS_PER_TEXT)) return undefined
  found.add(key)
  return { kind: 'mention', text, handles }
}

function toTagPart(text: string, word: string, found: Set<string>): TextPart | undefined {
  const tag = parseTag(word)
  if (tag === null || (!found.has(tag) && found.size >= MAX_TAGS_PER_TEXT)) return undefined
  found.add(tag)
  return { kind: 'tag', text, tag }
}

/**
 * Returns a tag as it is stored: folded, without the leading `#`. Returns null if it contains other
 * characters than letters, digits and underscores, has no letter, or is too long.
 */
export function parseTag(given: string) {
  const tag = foldCaseAndWidth(given).replace(/^#/, '')
  return new RegExp(`^${WORD}$`, 'u').test(tag) &&
    /\p{L}/u.test(tag) &&
    countCodePoints(tag) <= MAX_TAG_LENGTH
    ? tag
    : null
}

/** The maximum number of handles that one mention may mean. */
const MAX_POSSIBLE_HANDLES = 4
/** Matches a Japanese honorific, such as さん, that follows a name without a space. */
const afterName = /^(?:さん|ちゃん|くん|さま|君|様|先生|氏)/u

/**
 * Returns the handles that a word after `@` may mean, the longest one first: the word, and the beginnings of
 * the word that end where the script changes, or where an honorific such as さん begins. `length` is the
 * number of UTF-16 units of a handle in the written text.
 */
function listPossibleHandles(word: string) {
  const letters = [...word]
  const possible: { handle: string; length: number }[] = []
  let count = Math.min(letters.length, MAX_HANDLE_LENGTH)
  for (; count > 0 && possible.length < MAX_POSSIBLE_HANDLES; count--) {
    const rest = letters.slice(count).join('')
    if (rest && !isWordEnd(letters[count - 1]!, rest)) continue
    const written = letters.slice(0, count).join('')
    const handle = foldCaseAndWidth(written)
    if (countCodePoints(handle) <= MAX_HANDLE_LENGTH && new RegExp(`^${WORD}$`, 'u').test(handle))
      possible.push({ handle, length: written.length })
  }
  return possible
}

const scripts = [
  /[\p{Script=Latin}\p{N}_]/u,
  /\p{Script=Han}/u,
  /\p{Script=Katakana}/u,
  /\p{Script=Hiragana}/u,
]
const scriptOf = (letter: string) => scripts.findIndex((script) => script.test(letter))

/** Returns whether a name may end between the letter `last` and the text `rest`. */
function isWordEnd(last: string, rest: string) {
  const [before, after] = [scriptOf(last), scriptOf(String.fromCodePoint(rest.codePointAt(0)!))]
  return afterName.test(rest) || (before >= 0 && after > 0 && before !== after)
}

function toHref(address: string) {
  if (/^https?:/i.test(address)) return address
  return /^www\./i.test(address) ? `https://${address}` : address && `mailto:${address}`
}

/**
 * Returns an address without the punctuation at its end, because that belongs to the sentence around the
 * address. Also removes a “]”, and a “)” that was not opened inside the address.
 */
function trimPunctuation(address: string): string {
  const cut = address.replace(/[.,:;!?'*~・]+$/, '')
  const unopened = cut.endsWith(')') && cut.split(')').length > cut.split('(').length
  if (unopened || /[\]]$/.test(cut)) return trimPunctuation(cut.slice(0, -1))
  return cut
}
