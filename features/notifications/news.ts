import {
  MAX_READ,
  type NewsEntry,
  type NewsPart,
  type NewsPeriod,
  type NewsViewer,
  personAvatar,
  type ReadNews,
} from '#core/feature/news.ts'
import { shorten } from '#core/text/shorten.ts'
import { instantKinds, type Notification, type NotificationKind, taskKinds } from './contract.ts'
import { describeNotification } from './describe.ts'
import { notificationPath } from './path-contract.ts'
import * as read from './read.ts'
import * as settings from './settings.ts'
import { isTask } from './task-contract.ts'

/**
 * Other features tell of what is missing here: of answers that wait, of messages, of new posts, and of new
 * members.
 */
const kindsOf: Record<NewsPart, readonly NotificationKind[]> = {
  asked: [...taskKinds, 'server', 'event_offer'],
  mentions: [
    ...(['mention', 'reply', 'group_mention', 'quote', 'contact_allowed', 'group'] as const),
    ...(['event_cancelled', 'event_changed', 'event_place', 'event_soon'] as const),
  ],
  announcements: ['announcement'],
  groups: [],
  rest: ['follow', 'like', 'reaction', 'reply_reaction', 'message_reaction'],
}

/** In place of what other features tell only in the app. */
const byMail: readonly NotificationKind[] = ['new_post', 'new_member', 'first_message']

const MAX_TITLE = 160

export const readNews: ReadNews = async (viewer, period) => {
  const left = period.by_mail ? await unwanted(viewer) : new Set<NotificationKind>()
  const parts = Object.entries(kindsOf) as [NewsPart, readonly NotificationKind[]][]
  const found = await Promise.all(
    parts.map(async ([part, all]) => {
      const more = part === 'rest' && period.by_mail ? byMail : []
      const kinds = [...all, ...more].filter((kind) => !left.has(kind))
      if (!kinds.length) return []
      const { body } = await read.listOfKinds(viewer, kinds, MAX_READ)
      const entries = body.filter((one) => isNew(part, one, period)).map((one) => toEntry(viewer, one))
      return [[part, { path: '/notifications', entries }] as const]
    }),
  )
  return Object.fromEntries(found.flat())
}

async function unwanted({ db, me }: NewsViewer) {
  const off = await settings.getOffKinds(db, me.id, 'mail')
  return new Set([...off, ...instantKinds] as NotificationKind[])
}

/** What waits for the member is never too old. */
function isNew(
  part: NewsPart,
  { kind, updated_at, is_read }: Notification,
  { since, unread_since, by_mail }: NewsPeriod,
) {
  if (isTask(kind)) return true
  const isFresh = updated_at > since && part !== 'asked' && !by_mail
  return isFresh || (!is_read && updated_at > unread_since)
}

function toEntry({ lang }: NewsViewer, notification: Notification): NewsEntry {
  const { id, kind, people, post, group, updated_at, is_read } = notification
  const [person] = people
  return {
    key: keyOf(notification),
    path: notificationPath(notification),
    avatar: group
      ? { id: group.id, name: group.name, profile_image: null, is_group: true }
      : person && !isTask(kind) && kind !== 'server'
        ? personAvatar(person)
        : null,
    title: shorten(describeNotification(notification, lang), MAX_TITLE),
    text: null,
    at: updated_at,
    ...(is_read && { is_read: true }),
  }

  /** An announcement is the post itself; a reply to a post is not. */
  function keyOf({ kind }: Notification) {
    const isPost = post && kind === 'announcement'
    return isPost ? `post ${post.id}` : `notification ${id}`
  }
}
