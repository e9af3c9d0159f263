import type { Db } from '#core/database/database.ts'
import * as previews from '#features/link-previews/searched.ts'
import * as messages from '#features/messages/searched.ts'
import * as polls from '#features/polls/searched.ts'
import * as posts from '#features/posts/searched.ts'
import * as replies from '#features/replies/searched.ts'
import type { AttachmentKind } from './operators-contract.ts'
import { PAUSE, split } from './words.ts'

// The texts of the index, of each kind.

export const kinds = ['post', 'reply', 'message'] as const
export type Kind = (typeof kinds)[number]

interface Source {
  table: 'posts' | 'replies' | 'messages'
  attachments: string
  texts: (db: Db, ids: readonly number[]) => Promise<posts.SearchedText[]>
  files: (db: Db, ids: readonly number[]) => Promise<(id: number) => readonly posts.SearchedFile[]>
}

export const sources: Readonly<Record<Kind, Source>> = {
  post: { table: 'posts', attachments: 'post_attachments', texts: posts.texts, files: posts.postFiles },
  reply: {
    table: 'replies',
    attachments: 'reply_attachments',
    texts: replies.texts,
    files: replies.replyFiles,
  },
  message: {
    table: 'messages',
    attachments: 'message_attachments',
    texts: messages.texts,
    files: messages.messageFiles,
  },
}

export const watched: readonly (posts.Watched & { kind: Kind })[] = [
  ...posts.watched.map((one) => ({ kind: 'post' as const, ...one })),
  ...replies.watched.map((one) => ({ kind: 'reply' as const, ...one })),
  ...messages.watched.map((one) => ({ kind: 'message' as const, ...one })),
  ...polls.watched.map(({ of, ...one }) => ({ kind: of, ...one })),
  ...previews.watched.map(({ of, ...one }) => ({ kind: of, ...one })),
]

/** A post, reply or message, with what belongs to it. */
export interface Text extends posts.SearchedText {
  files: readonly posts.SearchedFile[]
  /** What can be read besides the body: descriptions of pictures, choices of a poll, titles of link cards. */
  more: readonly { part: 'picture' | 'poll' | 'link'; text: string }[]
  has: readonly AttachmentKind[]
  link_title: string | null
}

/**
 * In no particular order, without those that do not exist. Checks no rights. `parts` says which tables to ask
 * besides; the others have nothing.
 */
export async function texts(
  db: Db,
  kind: Kind,
  ids: readonly number[],
  parts: (table: string) => boolean = () => true,
): Promise<Text[]> {
  if (!ids.length) return []
  const source = sources[kind]
  const [rows, filesOf, titles, choices] = await Promise.all([
    source.texts(db, ids),
    parts(source.attachments) ? source.files(db, ids) : () => [],
    parts('link_previews') ? previews.titles(db, kind, ids) : new Map<number, string | null>(),
    kind !== 'reply' && parts('polls') ? polls.texts(db, kind, ids) : new Map<number, string[]>(),
  ])
  return rows.map((row) => {
    const files = filesOf(row.id)
    const link_title = titles.get(row.id) ?? null
    return {
      ...row,
      files,
      link_title,
      more: [
        ...files.flatMap(({ alt }) => (alt ? { part: 'picture' as const, text: alt } : [])),
        ...(choices.get(row.id) ?? []).map((text) => ({ part: 'poll' as const, text })),
        ...(link_title ? [{ part: 'link' as const, text: link_title }] : []),
      ],
      has: Object.entries({
        picture: files.some(({ name }) => name === null),
        file: files.some(({ name, is_voice }) => name !== null && !is_voice),
        voice: files.some(({ is_voice }) => is_voice),
        poll: choices.has(row.id),
        link: titles.has(row.id) || /https?:\/\/|www\./i.test(row.body ?? ''),
      } satisfies Record<AttachmentKind, boolean>).flatMap(([one, isThere]) =>
        isThere ? (one as AttachmentKind) : [],
      ),
    }
  })
}

/** Words of the index that no text can have, because they begin with `_`. */
export const author = (id: number) => `_u${id}`
export const place = (place: Text['place']) => (typeof place === 'number' ? `_c${place}` : `_${place}`)
export const has = (kind: AttachmentKind) => `_has_${kind}`

export const fileNames = ({ files }: Text) =>
  files.flatMap(({ name, is_voice }) => (name !== null && !is_voice ? [name] : []))

export const allTexts = ({ body, more }: Text) => [body ?? '', ...more.map(({ text }) => text)]

/** In the order of the text. `names` are those of the names of its files. */
export function words(text: Text) {
  const facets = [author(text.user_id), place(text.place), ...text.has.map(has)]
  const parts = allTexts(text).map(split)
  return {
    words: [...facets, ...parts.flatMap((part) => [PAUSE, ...part])],
    names: fileNames(text).flatMap((name) => [...split(name), PAUSE]),
  }
}
