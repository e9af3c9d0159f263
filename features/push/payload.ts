import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { shorten } from '#core/text/shorten.ts'
import { kindOf } from '#features/conversations/attached-contract.ts'
import type { UnreadMessage } from '#features/messages/for-push.ts'
import type { Notification } from '#features/notifications/contract.ts'
import { describeNotification } from '#features/notifications/describe.ts'
import { notificationPath } from '#features/notifications/path-contract.ts'
import { isTask } from '#features/notifications/task-contract.ts'
import type { PushPrivacy } from './contract.ts'

/** In characters: the JSON fits into the 3993 bytes of an encrypted push message. */
const limits = { title: 100, body: 300 }

/**
 * Declarative Web Push (https://www.w3.org/TR/push-api/): Safari shows it without a service worker. The
 * service worker of Engawa reads the same form.
 */
export interface PushPayload {
  web_push: 8030
  notification: {
    title: string
    body: string
    lang: Language
    /** Absolute, for a click. */
    navigate: string
    /** Replaces an older one with the same tag on the device. */
    tag: string
    data: {
      /** If another member is logged in, the buttons do nothing. */
      member: number
      /** If the member is looking at this page, the service worker shows nothing. */
      path: string
      /** For the button “Mark as read”. */
      read?: PushCall
      /** For the button “Like” of a shown reply. */
      like?: PushCall
      /** Sends typed text, where the platform allows this. `field` is its name in the body. */
      reply?: PushCall & { field: string }
    }
  }
}
interface PushCall {
  method: 'POST' | 'PUT'
  path: string
  body: Record<string, number>
}
type Site = AppContext['publicSite']
interface Recipient {
  user_id: number
  lang: Language
  privacy: PushPrivacy
}

const texts = {
  en: {
    newMessage: 'New message',
    newNotification: 'There is something new for you',
    picture: 'Picture',
    file: 'File',
    voice: 'Voice message',
    video: 'Video',
    test: 'Notifications work on this device.',
    messages: (count: number) => (count === 1 ? '1 new message' : `${count} new messages`),
    from: (messages: string, names: string) => `${messages} (${names})`,
    notifications: (count: number) => (count === 1 ? '1 notification' : `${count} notifications`),
    inGroup: (name: string, group: string) => `${name} · ${group}`,
  },
  ja: {
    newMessage: '新しいメッセージ',
    newNotification: '新しい通知があります',
    picture: '画像',
    file: 'ファイル',
    voice: 'ボイスメッセージ',
    video: '動画',
    test: 'この端末で通知を受け取れます。',
    messages: (count: number) => `新しいメッセージ${count}件`,
    from: (messages: string, names: string) => `${messages}（${names}）`,
    notifications: (count: number) => `通知${count}件`,
    inGroup: (name: string, group: string) => `${name}・${group}`,
  },
} satisfies Record<Language, object>

interface Content {
  title: string
  body: string
  path: string
  tag: string
  calls?: Omit<PushPayload['notification']['data'], 'member' | 'path'>
}
const toPayload = (
  { origin }: Site,
  { user_id, lang }: Omit<Recipient, 'privacy'>,
  { title, body, path, tag, calls }: Content,
): PushPayload => ({
  web_push: 8030,
  notification: {
    title: shorten(title, limits.title),
    body: shorten(body, limits.body),
    lang,
    navigate: `${origin}${path}`,
    tag,
    data: { member: user_id, path, ...calls },
  },
})

export const testPayload = (site: Site, recipient: Omit<Recipient, 'privacy'>) => {
  const body = texts[recipient.lang].test
  return toPayload(site, recipient, { title: site.name, body, path: '/account', tag: 'test' })
}

/** Push messages of one conversation replace each other on a device. */
export function messagePayload(
  site: Site,
  recipient: Recipient,
  { id, name, text, attached, group, user_id }: UnreadMessage,
) {
  const { lang, privacy } = recipient
  const t = texts[lang]
  const path = group ? `/group-chat/${group.id}` : `/privatechat/${user_id}`
  const read = group
    ? { method: 'PUT' as const, path: `/api/groups/${group.id}/read`, body: { last_read_id: id } }
    : { method: 'PUT' as const, path: `/api/conversations/${user_id}/read`, body: { last_read_id: id } }
  const reply = group
    ? { path: '/api/group-messages/send', body: { group_id: group.id }, field: 'message' }
    : { path: '/api/send-private-message', body: { targetUserId: user_id }, field: 'input' }
  const from = group ? t.inGroup(name, group.name) : name
  return toPayload(site, recipient, {
    title: privacy === 'none' ? site.name : from,
    body: privacy === 'text' ? text || t[kindOf(attached)] : t.newMessage,
    path,
    tag: path,
    calls: { read, reply: { method: 'POST', ...reply } },
  })
}

export function noticePayload(site: Site, recipient: Recipient, notification: Notification) {
  const { lang, privacy } = recipient
  const { kind, post, reply, message_body, emoji, id, last_event_id } = notification
  const shown =
    privacy === 'text'
      ? notification
      : {
          ...notification,
          ...(post && { post: { ...post, body: null } }),
          ...(reply && { reply: { ...reply, body: null } }),
          ...(message_body && { message_body: null }),
          ...(emoji && { emoji: [] }),
        }
  return toPayload(site, recipient, {
    title: site.name,
    body: privacy === 'none' ? texts[lang].newNotification : describeNotification(shown, lang),
    path: notificationPath(notification),
    tag: `notification ${id}`,
    calls: {
      ...(!isTask(kind) && {
        read: { method: 'POST', path: '/api/notifications/read', body: { last_event_id } },
      }),
      // The reply of a `reply_reaction` is the member's own: no button “Like”.
      ...(reply &&
        kind !== 'reply_reaction' && {
          like: { method: 'PUT', path: `/api/replies/${reply.id}/like`, body: {} },
        }),
    },
  })
}

/** Authors whom a summary names. */
const MAX_NAMES = 3

/** For all that has waited for the end of the quiet hours. */
export function summaryPayload(
  site: Site,
  recipient: Recipient,
  messages: readonly UnreadMessage[],
  notifications: readonly Notification[],
) {
  const { lang, privacy } = recipient
  const t = texts[lang]
  const names = [...new Set(messages.map(({ name }) => name))]
  const shownNames = [...names.slice(0, MAX_NAMES), ...(names.length > MAX_NAMES ? ['…'] : [])]
  const counted = t.messages(messages.length)
  const separator = lang === 'ja' ? '、' : ', '
  const parts = [
    ...(messages.length ? [privacy === 'none' ? counted : t.from(counted, shownNames.join(separator))] : []),
    ...(notifications.length ? [t.notifications(notifications.length)] : []),
  ]
  const path = messages.length ? '/chats/unread' : '/notifications'
  return toPayload(site, recipient, { title: site.name, body: parts.join(separator), path, tag: 'summary' })
}
