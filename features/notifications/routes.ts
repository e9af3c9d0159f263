import type { Handlers } from '#core/http/endpoints.ts'
import type { notificationEndpoints, settingEndpoints } from './contract.ts'
import * as notifier from './model.ts'
import * as read from './read.ts'
import { markPostRead, markPostsSeen } from './reading.ts'
import * as notificationSettings from './settings.ts'

export const settingHandlers: Handlers<typeof settingEndpoints> = {
  get: (context) => notificationSettings.get(context),
  save: (context) => notificationSettings.save(context, context.input),
}

export const notificationHandlers: Handlers<typeof notificationEndpoints> = {
  list: (context) => read.listTasksFirst(context, context.input),
  unread: read.getUnread,
  markRead: (context) => notifier.markReadUpTo(context, context.input.last_event_id),
  markPostRead: (context) => markPostRead(context, context.input),
  markPostsSeen: (context) => markPostsSeen(context, context.input.posts),
}
