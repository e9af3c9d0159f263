import { type Channels, endpoints } from '#core/contract.ts'
import type { conversationSchemas, muteSchemas, readMarkSchemas } from './schemas.ts'

export type { GroupChange } from './message-schemas.ts'
export type {
  LastMessage,
  ListedChat,
  ListedGroup,
  PrivateChat,
  ReadMarkSharing,
  UnreadCounts,
} from './schemas.ts'

/** Messages beyond it are not counted; clients show “99+”. */
export const MAX_UNREAD = 100

export const conversationEndpoints = endpoints<typeof conversationSchemas>({
  privateChats: 'GET /api/conversations',
  groups: 'GET /api/my-groups',
  groupmates: 'GET /api/my-groups/people',
  privateChat: 'GET /api/conversations/:id',
  readPrivate: 'PUT /api/conversations/:id/read',
  readGroup: 'PUT /api/groups/:id/read',
  unread: 'GET /api/unread',
})

/** `tomorrow` ends at 8 o'clock of the next day in the member's time zone; `always` has no end. */
export const muteChoices = ['hour', 'tomorrow', 'always'] as const
export type MuteDuration = (typeof muteChoices)[number]
/** Stored for `always`. */
export const MUTED_FOREVER = '9999-12-31T23:59:59.999Z'

export const muteEndpoints = endpoints<typeof muteSchemas>({
  mutePrivate: 'PUT /api/conversations/:id/mute',
  unmutePrivate: 'DELETE /api/conversations/:id/mute',
  muteGroup: 'PUT /api/groups/:id/mute',
  unmuteGroup: 'DELETE /api/groups/:id/mute',
  markUnread: 'PUT /api/chat-messages/:id/unread',
})

export const readMarkEndpoints = endpoints<typeof readMarkSchemas>({
  seenBy: 'GET /api/chat-messages/:id/seen-by',
  notSeenBy: 'GET /api/chat-messages/:id/not-seen-by',
  sharing: 'GET /api/account/read-marks',
  setSharing: 'PUT /api/account/read-marks',
})

export const chatChannels = {
  privateChat: { name: 'private-chat.:smaller.:larger' },
  group: { name: 'private-group-chat.:group' },
  groupPresence: { name: 'presence-group-chat.:group' },
  member: { name: 'presence-user.:user' },
} as const satisfies Channels

export const sortIds = (a: number, b: number) => ({
  smaller: Math.min(a, b),
  larger: Math.max(a, b),
})
