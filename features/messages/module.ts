import '#features/conversations/events.ts'
import './events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { blockedEndpoints, forwardEndpoints, messageEndpoints, pinEndpoints } from './contract.ts'
import { exportSection } from './export.ts'
import { forwardHandlers } from './forwards.ts'
import { deleteMarks } from './member-deletion.ts'
import { pinHandlers } from './pins.ts'
import { chatRetention } from './retention.ts'
import { blockedHandlers, messageHandlers } from './routes.ts'
import { blockedSchemas, forwardSchemas, messageSchemas, pinSchemas } from './schemas.ts'
import { serverPages } from './server-pages.ts'
import { messageMigrations } from './tables.ts'

export const messagesModule = defineFeature({
  name: 'messages',
  pages: serverPages,
  retention: chatRetention,
  migrations: messageMigrations,
  exportSection,
  contracts: {
    messages: [messageEndpoints, messageSchemas],
    blockedMessages: [blockedEndpoints, blockedSchemas],
    messagePins: [pinEndpoints, pinSchemas],
    messageForwards: [forwardEndpoints, forwardSchemas],
  },
  routes: () => ({
    messages: messageHandlers,
    blockedMessages: blockedHandlers,
    messagePins: pinHandlers,
    messageForwards: forwardHandlers,
  }),
  listeners: {
    'messages.deleted_with_account': (tx, { ids }) => deleteMarks(tx, ids),
  },
})
