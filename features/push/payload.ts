import type { AppContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import type { MessageForPush } from '#features/chat/read-for-push.ts'
import type { Notification } from '#features/notifications/contract.ts'
import { describeNotification } from '#features/notifications/describe.ts'
import { toNotificationPath } from '#features/notifications/path-contract.ts'
import type { PushPrivacy } from './contract.ts'

/**
 * The maximum numbers of characters of the title and the body of a push message. With these limits, the JSON
 * fits into the 3993 bytes that an encrypted push message can have.
 */
const limits = { title: 100, body: 300 }

/**
 * The JSON of a push message, in the form of Declarative Web Push (https://www.w3.org/TR/push-api/). Safari
 * shows such a message without a service worker. The service worker of Engawa reads the same form.
 */
export interface PushPayload {
  web_push: 8030
  notification: {
    title: string
    body: string
    lang: Language
    /** The absolute URL of the page that a click on the push message opens. */
    navigate: string
    /**
     * The tag of the shown push message. A newer one with the same tag replaces an older one on the device.
     */
    tag: string
    data: {
      /**
       * The id of the member to whom the push message is sent. If another member is logged in, the buttons
       * do nothing.
       */
      member: number
      /**
       * The path of the page that shows the message or notification. If the member is looking at this page,
       * the service worker shows no push message.
       */
      path: string
      /**
       * The API call with which the button “Mark as read” of the push message marks the message or
       * notification as read.
       */
      read?: PushCall
      /**
       * The API call with which the button “Like” of the push message likes the reply that the push message
       * shows.
       */
      like?: PushCall
      /**
       * The API call that sends the text that the member types into the push message, where the platform
       * allows this. `field` is the name of the text in the body of the call.
       */
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
/** The member to whom a push message goes, with the language and the privacy setting of the member. */
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
    test: 'Notifications work on this device.',
    messages: (count: number) => (count === 1 ? '1 new message' : `${count} new messages`),
    from: (messages: string, names: string) => `${messages} (${names})`,
    notifications: (count: number) => (count === 1 ? '1 notification' : `${count} notifications`),
    inGroup: (name: string, group: string) => `${name} · ${group}`,
  },
  ja: {
    newMessage: '新しいメッセージ',
    newNotification: '新しいお知らせがあります',
    picture: '画像',
    file: 'ファイル',
    voice: 'ボイスメッセージ',
    test: 'この端末で通知を受け取れます。',
    messages: (count: number) => `新しいメッセージ${count}件`,
    from: (messages: string, names: string) => `${messages}（${names}）`,
    notifications: (count: number) => `お知らせ${count}件`,
    inGroup: (name: string, group: string) => `${name}・${group}`,
  },
} satisfies Record<Language, object>

const shorten = (text: string, max: number) => {
  const characters = [...text]
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : text
}

interface Content {
  title: string
  body: string
  path: string
  tag: string
  /** The API calls of the buttons on the push message, and of the text that the member types into it. */
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

export const createPushPayloadForTestButton = (site: Site, recipient: Omit<Recipient, 'privacy'>) => {
  const body = texts[recipient.lang].test
  return toPayload(site, recipient, { title: site.name, body, path: '/account', tag: 'test' })
}

/**
 * Returns the content of the push message for a chat message. On a device, the push messages of one
 * conversation replace each other.
 */
export function createMessagePushPayload(
  site: Site,
  recipient: Recipient,
  { id, name, text, has_files, is_voice, group, user_id }: MessageForPush,
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
    body: privacy === 'text' ? text || (is_voice ? t.voice : has_files ? t.file : t.picture) : t.newMessage,
    path,
    tag: path,
    calls: { read, reply: { method: 'POST', ...reply } },
  })
}

/** Returns the content of the push message for a notification, such as a like. */
export function createNotificationPushPayload(site: Site, recipient: Recipient, notification: Notification) {
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
    path: toNotificationPath(notification),
    tag: `notification ${id}`,
    calls: {
      read: { method: 'POST', path: '/api/notifications/read', body: { last_event_id } },
      // In a notification of the kind `reply_reaction`, the reply is the member's own, so there is no button
      // “Like”.
      ...(reply &&
        kind !== 'reply_reaction' && {
          like: { method: 'PUT', path: `/api/replies/${reply.id}/like`, body: {} },
        }),
    },
  })
}

/** The maximum number of authors of messages whom a summary names. */
const MAX_NAMES = 3

/**
 * Returns the content of one push message for all messages and notifications that have waited for the end of
 * the quiet hours.
 */
export function createQuietHoursSummaryPushPayload(
  site: Site,
  recipient: Recipient,
  messages: readonly MessageForPush[],
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
