import { basename } from 'node:path'
import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import {
  type DataExportRecord,
  type DataExportSection,
  yieldAllKeysetPages,
  yieldQueryResultAsSinglePage,
} from '#core/exports.ts'
import { toNonPictureStorageName } from '#core/media/stored-names.ts'
import { formatPersonNameForExport } from '#features/people/export.ts'
import { toExportPictures } from '#features/posts/export.ts'
import type { GroupMessage, ListedPrivateChat, PrivateMessage } from './contract.ts'
import type { ListedJoinedGroup } from './group-contract.ts'
import { listGroupMessages, listPrivateMessages, requireGroupMembership } from './read.ts'
import {
  countMessagesInConversationsOfViewer,
  listJoinedGroups,
  listPrivateChats,
} from './read-conversations.ts'
import { findTimeSinceReadMarksAreHidden } from './read-mark-conditions.ts'
import { listPinnedMessagesWithoutMembershipCheck } from './read-message-pins.ts'

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
    quotes: (name: string, text: string) => `${name}さんへの返信：${text || '…'}`,
    forwarded: '転送',
    forwardedFrom: (name: string) => `${name}さんのメッセージを転送`,
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
    forwarded && (from ? t.forwardedFrom(formatPersonNameForExport(from)) : t.forwarded),
    edited_at && t.edited,
  ]
  return notes.filter(Boolean).join(' · ') || undefined
}

function toRecord(message: PrivateMessage | GroupMessage, author: string, isOwn: boolean, lang: Language) {
  const { id, message: text, created_at, edited_at, deleted_at, images, files = [] } = message
  const t = texts[lang]
  const from_user_id = 'from_user_id' in message ? message.from_user_id : message.user_id
  const record: DataExportRecord = {
    data: {
      ...{ id, from_user_id, from: author, message: text, created_at, edited_at, deleted_at },
      ...(message.quoted && { quotes_id: message.quoted.id }),
      ...(message.forwarded && { forwarded_from: message.forwarded.from?.id ?? null }),
    },
    heading: isOwn ? t.you : author,
    time: created_at,
    text: deleted_at ? null : text,
    pictures: toExportPictures(images),
    files: files.map(({ path, name }) => ({ file: toNonPictureStorageName(basename(path)), name })),
    note: noteOf(message, lang),
    isOwn,
  }
  return record
}

async function* readPrivateRecords(viewer: MemberContext, { user }: ListedPrivateChat, lang: Language) {
  const pages = yieldAllKeysetPages((page) => listPrivateMessages(viewer, user.id, page), { after: 0 })
  for await (const messages of pages)
    yield messages.map((message) => {
      const isOwn = message.from_user_id === viewer.me.id
      return toRecord(message, isOwn ? texts[lang].you : formatPersonNameForExport(user), isOwn, lang)
    })
}

async function* readGroupRecords(viewer: MemberContext, { id }: ListedJoinedGroup, lang: Language) {
  for await (const messages of yieldAllKeysetPages((page) => listGroupMessages(viewer, id, page), {
    after: 0,
  }))
    yield messages.map((message) =>
      toRecord(message, formatPersonNameForExport(message.user), message.user_id === viewer.me.id, lang),
    )
}

/**
 * Returns the record of the member's data export that says whether the member shows others what they have
 * read, or since when they do not.
 */
async function readReadMarkRecords({ db, me }: MemberContext, lang: Language): Promise<DataExportRecord[]> {
  const t = texts[lang]
  const time = await findTimeSinceReadMarksAreHidden(db, me.id)
  return [
    {
      data: { is_shared: time === null, hidden_since: time },
      facts: [time === null ? [t.readMarks, t.readMarksShown] : [t.readMarksHiddenSince, { time }]],
    },
  ]
}

export const chatExportSection: DataExportSection = {
  title: { en: 'Chats', ja: 'チャット' },
  count: countMessagesInConversationsOfViewer,
  async *documents(viewer, lang) {
    // Lists all private chats before the messages of the first one are read, because a new message moves its
    // chat to another page of the list.
    const chats = (
      await Array.fromAsync(yieldAllKeysetPages((page) => listPrivateChats(viewer, page)))
    ).flat()
    for (const chat of chats)
      yield {
        path: `chats/private-${chat.user.id}`,
        title: formatPersonNameForExport(chat.user),
        layout: 'messages',
        data: { user: { id: chat.user.id, name: chat.user.name } },
        pages: () => readPrivateRecords(viewer, chat, lang),
      }
    for (const group of await listJoinedGroups(viewer)) {
      const { description } = await requireGroupMembership(viewer, group.id)
      const pins = (await listPinnedMessagesWithoutMembershipCheck(viewer, group.id)).map(({ id }) => id)
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
      pages: () => yieldQueryResultAsSinglePage(() => readReadMarkRecords(viewer, lang)),
    }
  },
}
