import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldOnePage, yieldPages } from '#core/feature/exports.ts'
import { dot } from '#core/text/dot.ts'
import { san } from '#core/text/honorific.ts'
import type { ListedChat, ListedGroup } from '#features/conversations/contract.ts'
import * as conversations from '#features/conversations/lists.ts'
import type { GroupMessage, PrivateMessage } from '#features/conversations/message-schemas.ts'
import * as chats from '#features/conversations/read.ts'
import { findHiddenSince } from '#features/conversations/read-mark-conditions.ts'
import { exportedName } from '#features/people/export.ts'
import { toExportFiles, toExportPictures } from '#features/posts/export.ts'
import { listPinned } from './pins.ts'
import * as read from './read.ts'

const texts = {
  en: {
    you: 'You',
    edited: 'edited',
    deleted: 'This message was deleted.',
    blocked: 'Message of a person you blocked',
    muted: 'Message of a person you muted',
    quotes: (name: string, text: string) => `Answer to ${name}: ${text || '…'}`,
    forwarded: 'Forwarded',
    forwardedFrom: (name: string) => `Forwarded from ${name}`,
    readMarks: 'Read marks',
    readMarksShown: 'Shown to others',
    readMarksHiddenSince: 'Not shown to others since',
  },
  ja: {
    you: 'あなた',
    edited: '編集済み',
    deleted: 'このメッセージは削除されました。',
    blocked: 'ブロックした人のメッセージ',
    muted: 'ミュートした人のメッセージ',
    quotes: (name: string, text: string) => `${san(name)}への返信：${text || '…'}`,
    forwarded: '転送',
    forwardedFrom: (name: string) => `${san(name)}のメッセージを転送`,
    readMarks: '既読',
    readMarksShown: '相手に見せる',
    readMarksHiddenSince: '相手に見せない（開始日時）',
  },
} satisfies Record<Language, object>

function noteOf(message: PrivateMessage | GroupMessage, lang: Language) {
  const t = texts[lang]
  if ('is_blocked' in message) return t.blocked
  if ('is_muted' in message) return t.muted
  if (message.deleted_at) return t.deleted
  const { quoted, forwarded, edited_at } = message
  const from = forwarded?.from
  const notes = [
    quoted?.user.id ? t.quotes(quoted.user.name, quoted.text) : null,
    forwarded && (from ? t.forwardedFrom(exportedName(from)) : t.forwarded),
    edited_at && t.edited,
  ]
  return notes.filter(Boolean).join(dot[lang]) || undefined
}

function toRecord(message: PrivateMessage | GroupMessage, author: string, isOwn: boolean, lang: Language) {
  const { id, message: text, created_at, edited_at, deleted_at, images, files } = message
  const t = texts[lang]
  const from_user_id = 'from_user_id' in message ? message.from_user_id : message.user_id
  const record: ExportRecord = {
    data: {
      ...{ id, from_user_id, from: author, message: text, created_at, edited_at, deleted_at },
      ...(message.quoted && { quotes_id: message.quoted.id }),
      ...(message.forwarded && { forwarded_from: message.forwarded.from?.id ?? null }),
    },
    heading: isOwn ? t.you : author,
    time: created_at,
    text: deleted_at ? null : text,
    pictures: toExportPictures(images),
    files: toExportFiles(files),
    note: noteOf(message, lang),
    isOwn,
  }
  return record
}

async function* readPrivateRecords(viewer: MemberContext, { user }: ListedChat, lang: Language) {
  const pages = yieldPages((page) => read.privateMessages(viewer, user.id, page), { after: 0 })
  for await (const messages of pages)
    yield messages.map((message) => {
      const isOwn = message.from_user_id === viewer.me.id
      return toRecord(message, isOwn ? texts[lang].you : exportedName(user), isOwn, lang)
    })
}

async function* readGroupRecords(viewer: MemberContext, { id }: ListedGroup, lang: Language) {
  for await (const messages of yieldPages((page) => read.groupMessages(viewer, id, page), {
    after: 0,
  }))
    yield messages.map((message) =>
      toRecord(message, exportedName(message.user), message.user_id === viewer.me.id, lang),
    )
}

async function readReadMarkRecords({ db, me }: MemberContext, lang: Language): Promise<ExportRecord[]> {
  const t = texts[lang]
  const time = await findHiddenSince(db, me.id)
  return [
    {
      data: { is_shared: time === null, hidden_since: time },
      facts: [time === null ? [t.readMarks, t.readMarksShown] : [t.readMarksHiddenSince, { time }]],
    },
  ]
}

export const exportSection: ExportSection = {
  title: { en: 'Chats', ja: 'チャット' },
  count: read.countMessages,
  async *documents(viewer, lang) {
    // All chats first, because a new message moves its chat to another page of the list.
    const listed = (
      await Array.fromAsync(yieldPages((page) => conversations.listPrivate(viewer, page)))
    ).flat()
    for (const chat of listed)
      yield {
        path: `chats/private-${chat.user.id}`,
        title: exportedName(chat.user),
        layout: 'messages',
        data: { user: { id: chat.user.id, name: chat.user.name } },
        pages: () => readPrivateRecords(viewer, chat, lang),
      }
    for (const group of await conversations.listGroups(viewer)) {
      const { description } = await chats.requireMember(viewer, group.id)
      const pins = (await listPinned(viewer, group.id)).map(({ id }) => id)
      yield {
        path: `chats/group-${group.id}`,
        title: group.name,
        layout: 'messages',
        data: {
          group: { id: group.id, name: group.name, description, added_at: group.added_at },
          ...(pins.length > 0 && { pinned_message_ids: pins }),
        },
        pages: () => readGroupRecords(viewer, group, lang),
      }
    }
    yield {
      path: 'read-marks',
      title: texts[lang].readMarks,
      layout: 'start',
      pages: () => yieldOnePage(() => readReadMarkRecords(viewer, lang)),
    }
  },
}
