import { transaction } from '#core/database/transaction.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineFeatureModule } from '#core/module.ts'
import { profilePictureStatisticsDefinition } from './accounts.ts'
import { endExpiredSuspension, grantConfiguredAdmins } from './admins.ts'
import { blockEndpoints } from './block-contract.ts'
import { blockEndpointHandlers } from './block-routes.ts'
import { peopleChannelDefinitions, peopleEndpoints } from './contract.ts'
import { peopleExportSection } from './export.ts'
import { handleLookupEndpoints } from './handle-contract.ts'
import { handleLookupEndpointHandlers } from './handle-routes.ts'
import { muteEndpoints } from './mute-contract.ts'
import { muteEndpointHandlers } from './mute-routes.ts'
import { markMemberAsKnownToModeratorEndpoints } from './new-member-contract.ts'
import { markMemberAsKnownToModerator } from './new-members.ts'
import { pageDefinitions } from './pages.ts'
import { createCachedMeReader, createCachedOwnPersonReader } from './read.ts'
import { peopleEndpointHandlers } from './routes.ts'
import { deleteExpiredSecurityLogData } from './security-log.ts'
import { deleteExpiredSessionsAndCloseSockets } from './session-cleanup.ts'
import { peopleMigrations } from './tables.ts'

export const peopleModule = defineFeatureModule({
  name: 'people',
  pages: pageDefinitions,
  initialData: [peopleEndpoints.me],
  migrations: peopleMigrations,
  storedFiles: profilePictureStatisticsDefinition,
  exportSection: peopleExportSection,
  contracts: {
    people: peopleEndpoints,
    blocks: blockEndpoints,
    mutes: muteEndpoints,
    handles: handleLookupEndpoints,
    newMembers: markMemberAsKnownToModeratorEndpoints,
  },
  routes: (context) => ({
    people: { ...peopleEndpointHandlers, me: createCachedMeReader(context) },
    blocks: blockEndpointHandlers,
    mutes: muteEndpointHandlers,
    handles: handleLookupEndpointHandlers,
    newMembers: {
      know: async (context) => {
        await markMemberAsKnownToModerator(context, context.input.id)
        return { status: 'known' as const }
      },
    },
  }),
  channels: peopleChannelDefinitions,
  guards: (context) => ({ online: createCachedOwnPersonReader(context) }),
  jobs: {
    end_suspension: (payload, _, context) => endExpiredSuspension(context, payload),
    close_sockets: async ({ user }, _, { realtime }) => realtime.revoke({ user }),
  },
  startBackgroundWork: (context) =>
    startHourlyCleanup(
      context,
      () => deleteExpiredSessionsAndCloseSockets(context),
      'Old sessions could not be deleted; tried again in an hour',
    ),
  onReady: async ({ db, config }) => {
    await grantConfiguredAdmins(db, config)
    await transaction(db, deleteExpiredSecurityLogData)
  },
})
