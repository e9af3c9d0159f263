import { transaction } from '#core/database/transaction.ts'
import { defineFeature } from '#core/feature/module.ts'
import { startHourly } from '#core/process/hourly-cleanup.ts'
import * as memberAccounts from './accounts.ts'
import { endSuspension, grantConfigured } from './admins.ts'
import {
  blockEndpoints,
  handleEndpoints,
  muteEndpoints,
  newMemberEndpoints,
  peopleChannels,
  peopleEndpoints,
} from './contract.ts'
import { exportSection } from './export.ts'
import { markKnown } from './new-members.ts'
import { readNews } from './news.ts'
import * as persons from './read.ts'
import { blockHandlers, handleHandlers, muteHandlers, peopleHandlers } from './routes.ts'
import {
  blockSchemas,
  handleSchemas,
  muteSchemas,
  newMemberSchemas,
  peopleChannelSchemas,
  peopleSchemas,
} from './schemas.ts'
import * as securityLog from './security-log.ts'
import { serverPages } from './server-pages.ts'
import { endOldSessions } from './session-cleanup.ts'
import { peopleMigrations } from './tables.ts'

export const peopleModule = defineFeature({
  name: 'people',
  pages: serverPages,
  initialData: [peopleEndpoints.me],
  migrations: peopleMigrations,
  storedFiles: memberAccounts.pictureSizes,
  exportSection: exportSection,
  contracts: {
    people: [peopleEndpoints, peopleSchemas],
    blocks: [blockEndpoints, blockSchemas],
    mutes: [muteEndpoints, muteSchemas],
    handles: [handleEndpoints, handleSchemas],
    newMembers: [newMemberEndpoints, newMemberSchemas],
  },
  news: readNews,
  routes: (context) => ({
    people: { ...peopleHandlers, me: persons.meReader(context) },
    blocks: blockHandlers,
    mutes: muteHandlers,
    handles: handleHandlers,
    newMembers: {
      know: async (context) => {
        await markKnown(context, context.input.id)
        return { status: 'known' as const }
      },
    },
  }),
  channels: [peopleChannels, peopleChannelSchemas],
  guards: (context) => ({ online: persons.ownReader(context) }),
  jobs: {
    end_suspension: (payload, _, context) => endSuspension(context, payload),
    close_sockets: async ({ user }, _, { realtime }) => realtime.revoke({ user }),
  },
  startBackgroundWork: (context) =>
    startHourly(
      context,
      () => endOldSessions(context),
      'Old sessions could not be deleted; tried again in an hour',
    ),
  onReady: async ({ db, config }) => {
    await grantConfigured(db, config)
    await transaction(db, securityLog.deleteExpired)
  },
})
