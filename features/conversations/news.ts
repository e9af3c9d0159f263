import type { Language } from '#core/contract.ts'
import { MAX_READ, type NewsEntry, type NewsViewer, personAvatar, type ReadNews } from '#core/feature/news.ts'
import { kindOf } from './attached-contract.ts'
import type { LastMessage, ListedChat, ListedGroup, UnreadCounts } from './contract.ts'
import { listGroups, listPrivate } from './lists.ts'
import { getUnread } from './unread.ts'

const texts = {
  en: { picture: 'Pictures', file: 'A file', video: 'A video', voice: 'A voice message' },
  ja: { picture: '写真', file: 'ファイル', video: '動画', voice: 'ボイスメッセージ' },
} satisfies Record<Language, object>

function describe(message: LastMessage, lang: Language) {
  const t = texts[lang]
  if (message.deleted_at !== null) return null
  if (message.message) return message.message
  return t[kindOf(message)]
}

type Counts = Pick<UnreadCounts, 'private' | 'groups'>

/** Without those that the member has muted. */
function unmuted({ muted, ...counts }: UnreadCounts): Counts {
  const kept = (all: Record<string, number>, without: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(all).filter(([id]) => !(id in without)))
  return {
    private: kept(counts.private, muted?.private),
    groups: kept(counts.groups, muted?.groups),
  }
}

/** Chats with unread messages, of which the last came after the member was told of all. */
export const readNews: ReadNews = async (viewer, { unread_since }) => {
  const counts = unmuted(await getUnread(viewer))
  const [chats, groups] = await Promise.all([
    Object.keys(counts.private).length ? listPrivate(viewer, { limit: MAX_READ }) : undefined,
    Object.keys(counts.groups).length ? listGroups(viewer) : [],
  ])
  const isNew = ({ at }: NewsEntry) => at > unread_since
  const ofPeople = (chats?.body ?? []).flatMap((chat) => privateEntry(viewer, chat, counts)).filter(isNew)
  const ofGroups = groups.flatMap((group) => groupEntry(viewer, group, counts)).filter(isNew)
  return {
    mentions: { path: '/chats/unread', entries: ofPeople },
    groups: {
      path: '/chats/unread',
      entries: ofGroups.slice(0, MAX_READ),
      more: Math.max(0, ofGroups.length - MAX_READ),
    },
  }
}

function privateEntry({ lang }: NewsViewer, { user, last_message }: ListedChat, counts: Counts): NewsEntry[] {
  const count = counts.private[user.id]
  if (!count || !last_message) return []
  const { id, name } = user
  const entry = { key: `chat ${id}`, path: `/privatechat/${id}`, avatar: personAvatar(user), count }
  return [{ ...entry, title: name, text: describe(last_message, lang), at: last_message.created_at }]
}

function groupEntry({ lang }: NewsViewer, group: ListedGroup, counts: Counts): NewsEntry[] {
  const { id, name, picture = null, last_message, added_at } = group
  const count = counts.groups[id]
  if (!count) return []
  const line = last_message && describe(last_message, lang)
  return [
    {
      key: `group ${id}`,
      path: `/group-chat/${id}`,
      avatar: { id, name, profile_image: picture, is_group: true },
      count,
      title: name,
      text: last_message && line !== null ? `${last_message.name}: ${line}` : null,
      at: last_message && last_message.created_at > added_at ? last_message.created_at : added_at,
    },
  ]
}
