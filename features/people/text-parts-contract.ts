import { removeInvisible } from '#core/text/invisible-characters.ts'
import { countCodePoints, foldCaseAndWidth } from '#core/text/unicode.ts'
import { parseAddress, splitAtAddresses } from './links-contract.ts'

// Web addresses, mentions (`@aya`) and tags (`#garden`). The server stores mentions and tags, and browsers
// show all three as links, so both use this file.

/** In code points. */
export const MAX_HANDLE_LENGTH = 30
/** Different ones in one text. Later ones are plain text. */
export const MAX_MENTIONS = 20
export const MAX_TAGS = 20
/** In code points. */
export const MAX_TAG_LENGTH = 50
/** In UTF-16 units: folding makes one letter of up to three, each of up to two units. */
const MAX_WRITTEN_TAG_LENGTH = 6 * (MAX_TAG_LENGTH + 1)

/** `text` is the part of the written text that stands for the handle, with the `@`. */
interface PossibleHandle {
  handle: string
  text: string
}
/**
 * A mention has several possible handles if words follow without a space, as in Japanese: `@ayaさんへ` can mean
 * `ayaさんへ` or `aya`. The longest is first; the first that exists is meant. Readers see the `label` of an
 * address instead of its text: the host in Punycode, because it mixes scripts.
 */
export type TextPart =
  | { kind: 'plain'; text: string }
  | { kind: 'address'; text: string; href: string; label?: string }
  | { kind: 'mention'; text: string; handles: readonly PossibleHandle[] }
  | { kind: 'tag'; text: string; tag: string }

/*
 * Neither may follow a Latin letter, a digit or one of `_@＠#＃&=/`, so `a@b` and `C#` are none. Japanese
 * letters may stand directly before it, because Japanese has no spaces. Inside a tag, signs may join two
 * letters: `#スター・ウォーズ`, `#トロピカル〜ジュ`, and joiners of Persian.
 */
const WORD = String.raw`[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*`
const TAG = String.raw`[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_]|[・･·〜～״׳\u200c\u200d]+(?=[\p{L}\p{N}_]))*`
const wholeWord = new RegExp(`^${WORD}$`, 'u')
const wholeTag = new RegExp(`^${TAG}$`, 'u')
const mentionsAndTags = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{N}_@＠#＃&=/])(?:[@＠](${WORD})|[#＃](${TAG}))`,
  'gu',
)

/** Texts that were split last: tags, mentions, previews and pages need the same ones. */
const recent = new Map<string, readonly TextPart[]>()
const MAX_RECENT_LENGTH = 100_000
let recentLength = 0

/** Together, the texts of the parts are the whole text. */
export function splitText(text: string): readonly TextPart[] {
  const known = recent.get(text)
  if (known) return known
  const parts = split(text)
  recent.set(text, parts)
  recentLength += text.length
  for (const oldest of recent.keys()) {
    if (recentLength <= MAX_RECENT_LENGTH) break
    recent.delete(oldest)
    recentLength -= oldest.length
  }
  return parts
}

function split(text: string) {
  const found = { handles: new Set<string>(), tags: new Set<string>() }
  return splitAtAddresses(text).flatMap((piece, index): TextPart[] => {
    if (index % 2 === 0) return splitPlainText(piece, index > 0, found)
    const address = parseAddress(piece)
    if (!address) return [{ kind: 'plain', text: piece }]
    const rest = piece.slice(address.text.length)
    return [{ kind: 'address', ...address }, ...(rest ? [{ kind: 'plain' as const, text: rest }] : [])]
  })
}

/** For each mention, the handles that it may mean. */
export function mentionedHandles(text: string): (readonly string[])[] {
  if (text.search(/[@＠]/) < 0) return []
  const handles = splitText(text).flatMap((part) => (part.kind === 'mention' ? [part.handles] : []))
  const different = new Map(handles.map((possible) => [possible[0]!.handle, possible]))
  return [...different.values()].map((possible) => possible.map(({ handle }) => handle))
}

/** As the database stores them. */
export const findTags = (text: string): string[] =>
  text.search(/[#＃]/) < 0
    ? []
    : [...new Set(splitText(text).flatMap((part) => (part.kind === 'tag' ? [part.tag] : [])))]

type Found = Record<'handles' | 'tags', Set<string>>

/** For a text without addresses. `isAfterAddress`: an address stands directly before it. */
function splitPlainText(text: string, isAfterAddress: boolean, found: Found): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const { 0: all, 1: name, 2: tag, index } of text.matchAll(mentionsAndTags)) {
    if (index === 0 && isAfterAddress) continue
    const part = name ? toMention(all, name, found.handles) : toTagPart(all, tag!, found.tags)
    if (!part) continue
    if (index > end) parts.push({ kind: 'plain', text: text.slice(end, index) })
    parts.push(part)
    end = index + all.length
  }
  if (end < text.length) parts.push({ kind: 'plain', text: text.slice(end) })
  return parts
}

function toMention(text: string, word: string, found: Set<string>): TextPart | undefined {
  const possible = possibleHandles(word)
  const longest = possible.next().value
  if (!longest || (!found.has(longest.handle) && found.size >= MAX_MENTIONS)) return undefined
  found.add(longest.handle)
  const handles = [longest]
  for (const shorter of possible) if (handles.push(shorter) === MAX_POSSIBLE_HANDLES) break
  return {
    kind: 'mention',
    text,
    handles: handles.map(({ handle, length }) => ({ handle, text: text.slice(0, 1 + length) })),
  }
}

function toTagPart(text: string, word: string, found: Set<string>): TextPart | undefined {
  const tag = parseTag(word)
  if (tag === null || (!found.has(tag) && found.size >= MAX_TAGS)) return undefined
  found.add(tag)
  return { kind: 'tag', text, tag }
}

/**
 * Folded, without the `#`. Null if too long, without a letter, or with other signs than letters, digits, `_` and
 * those that join letters. Both waves 〜 and ～ are the same sign, which `normalize` does not know.
 */
export function parseTag(given: string) {
  if (given.length > MAX_WRITTEN_TAG_LENGTH) return null
  const tag = removeInvisible(foldCaseAndWidth(given.replaceAll('～', '〜'))).replace(/^#/, '')
  const isTag = wholeTag.test(tag) && /[\p{L}\p{Nl}]/u.test(tag) && countCodePoints(tag) <= MAX_TAG_LENGTH
  return isTag ? tag : null
}

const MAX_POSSIBLE_HANDLES = 4
/** Japanese honorifics such as さん follow a name without a space. */
const afterName = /^(?:さん|ちゃん|くん|さま|君|様|先生|氏)/u

/**
 * The longest first: the word, and its beginnings that end where the script changes or an honorific begins.
 * `length` is in UTF-16 units of the written text.
 */
function* possibleHandles(word: string): Generator<{ handle: string; length: number }, undefined> {
  // Two UTF-16 units a letter, and the letters that `isWordEnd` reads after the last one.
  const letters = [...word.slice(0, 2 * (MAX_HANDLE_LENGTH + 4))]
  for (let count = Math.min(letters.length, MAX_HANDLE_LENGTH); count > 0; count--) {
    const rest = letters.slice(count, count + 3).join('')
    if (rest && !isWordEnd(letters[count - 1]!, rest)) continue
    const written = letters.slice(0, count).join('')
    const handle = foldCaseAndWidth(written)
    const isShort = handle.length <= MAX_HANDLE_LENGTH || countCodePoints(handle) <= MAX_HANDLE_LENGTH
    if (isShort && wholeWord.test(handle)) yield { handle, length: written.length }
  }
}

const scripts = [
  /[\p{Script=Latin}\p{N}_]/u,
  /\p{Script=Han}/u,
  /\p{Script=Katakana}/u,
  /\p{Script=Hiragana}/u,
]
const scriptOf = (letter: string) => scripts.findIndex((script) => script.test(letter))

/** `rest` begins with the three letters after `last`. */
function isWordEnd(last: string, rest: string) {
  const [before, after] = [scriptOf(last), scriptOf(String.fromCodePoint(rest.codePointAt(0)!))]
  return afterName.test(rest) || (before >= 0 && after > 0 && before !== after)
}
