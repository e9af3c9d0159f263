import { endpoints } from '#core/contract.ts'
import type { blockedSchemas, forwardSchemas, messageSchemas, pinSchemas } from './schemas.ts'

export type { GroupChat, PinnedMessage } from './schemas.ts'

export const MAX_MESSAGE_LENGTH = 1000
/** In characters. A longer text is cut off. */
export const MAX_QUOTED = 160

export const messageEndpoints = endpoints<typeof messageSchemas>({
  groupChat: 'GET /api/groups/:id',
  privateMessages: 'GET /api/messages/:id',
  sendPrivate: 'POST /api/send-private-message',
  groupMessages: 'GET /api/group-messages/:id',
  sendGroup: 'POST /api/group-messages/send',
  edit: 'PUT /api/chat-messages/:id',
  remove: 'DELETE /api/chat-messages/:id',
})

export const blockedEndpoints = endpoints<typeof blockedSchemas>({
  show: 'GET /api/chat-messages/:id',
})

/** Chats at once in the dialog; each is one request. */
export const MAX_TARGETS = 5

export const forwardEndpoints = endpoints<typeof forwardSchemas>({
  forward: 'POST /api/chat-messages/:id/forward',
})

/** In pixels, of all pictures of a message together. */
export const PICTURES_WIDTH = 300

export const MAX_PINS = 20

export const pinEndpoints = endpoints<typeof pinSchemas>({
  list: 'GET /api/groups/:id/pins',
  pin: 'PUT /api/chat-messages/:id/pin',
  unpin: 'DELETE /api/chat-messages/:id/pin',
})
