import { countCodePoints, foldCaseAndWidth } from '#core/unicode.ts'
import { parseAddress, splitAtAddresses } from './links-contract.ts'

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
/** In UTF-16 units: folding makes one letter of up to three, each of up to two units. */
const MAX_WRITTEN_TAG_LENGTH = 6 * (MAX_TAG_LENGTH + 1)

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
 * The longest handle is first; the first one that exists is the mentioned person. Readers see the `label` of
 * an address instead of its text: the host in Punycode, because it mixes scripts.
 */
export type TextPart =
  | { kind: 'plain'; text: string }
  | { kind: 'address'; text: string; href: string; label?: string }
  | { kind: 'mention'; text: string; handles: readonly PossibleHandle[] }
  | { kind: 'tag'; text: string; tag: string }

/*
 * A mention or a tag must not follow a Latin letter, a digit or one of the characters `_@＠#＃&=/`, so `a@b`
 * and `C#` are neither. Japanese letters may stand directly before it, because Japanese has no spaces.
 */
const WORD = String.raw`[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*`
const wholeWord = new RegExp(`^${WORD}$`, 'u')
const mentionsAndTags = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{N}_@＠#＃&=/])([@＠#＃])(${WORD})`,
  'gu',
)

/**
 * The parts of the texts that were split last, because tags, mentions, previews and pages need the same ones.
 */
const recent = new Map<string, readonly TextPart[]>()
const MAX_RECENT_LENGTH = 100_000
let recentLength = 0

/**
 * Splits a text into plain text, addresses, mentions and tags. The texts of the parts together are the whole
 * text.
 */
export function splitTextIntoLinksMentionsAndTags(text: string): readonly TextPart[] {
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
  const possible = possibleHandles(word)
  const longest = possible.next().value
  if (!longest || (!found.has(longest.handle) && found.size >= MAX_MENTIONS_PER_TEXT)) return undefined
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
  if (tag === null || (!found.has(tag) && found.size >= MAX_TAGS_PER_TEXT)) return undefined
  found.add(tag)
  return { kind: 'tag', text, tag }
}

/**
 * Returns a tag as it is stored: folded, without the leading `#`. Returns null if it contains other
 * characters than letters, digits and underscores, has no letter, or is too long.
 */
export function parseTag(given: string) {
  if (given.length > MAX_WRITTEN_TAG_LENGTH) return null
  const tag = foldCaseAndWidth(given).replace(/^#/, '')
  return wholeWord.test(tag) && /\p{L}/u.test(tag) && countCodePoints(tag) <= MAX_TAG_LENGTH ? tag : null
}

/** The maximum number of handles that one mention may mean. */
const MAX_POSSIBLE_HANDLES = 4
/** Matches a Japanese honorific, such as さん, that follows a name without a space. */
const afterName = /^(?:さん|ちゃん|くん|さま|君|様|先生|氏)/u

/**
 * Yields the handles that a word after `@` may mean, the longest one first: the word, and the beginnings of
 * the word that end where the script changes, or where an honorific such as さん begins. `length` is the
 * number of UTF-16 units of a handle in the written text.
 */
function* possibleHandles(word: string): Generator<{ handle: string; length: number }, undefined> {
  // Two UTF-16 units for each letter, and the letters that `isWordEnd` reads after the last one.
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

/** Returns whether a name may end between the letter `last` and the three letters after it. */
function isWordEnd(last: string, rest: string) {
  const [before, after] = [scriptOf(last), scriptOf(String.fromCodePoint(rest.codePointAt(0)!))]
  return afterName.test(rest) || (before >= 0 && after > 0 && before !== after)
}
