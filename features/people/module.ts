import { transaction } from '#core/database/transaction.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineModule } from '#core/module.ts'
import { profilePictureFileKind } from './accounts.ts'
import { endExpiredSuspension, grantConfiguredAdmins } from './admins.ts'
import { blockEndpoints } from './block-contract.ts'
import { blockHandlers } from './block-routes.ts'
import { peopleChannelDefinitions, peopleEndpoints } from './contract.ts'
import { peopleExportSection } from './export.ts'
import { handleLookupEndpoints } from './handle-contract.ts'
import { handleLookupHandlers } from './handle-routes.ts'
import { muteEndpoints } from './mute-contract.ts'
import { muteHandlers } from './mute-routes.ts'
import { knownMemberEndpoints } from './new-member-contract.ts'
import { markMemberAsKnown } from './new-members.ts'
import { pages } from './pages.ts'
import { createCachedMeReader, createCachedOwnPersonReader } from './read.ts'
import { peopleHandlers } from './routes.ts'
import { deleteExpiredSecurityLogData } from './security-log.ts'
import { deleteOldSessions } from './session-cleanup.ts'
import { migrations } from './tables.ts'

export const peopleModule = defineModule({
  name: 'people',
  pages,
  initialData: [peopleEndpoints.me],
  migrations,
  storedFiles: profilePictureFileKind,
  exportSection: peopleExportSection,
  contracts: {
    people: peopleEndpoints,
    blocks: blockEndpoints,
    mutes: muteEndpoints,
    handles: handleLookupEndpoints,
    newMembers: knownMemberEndpoints,
  },
  routes: (context) => ({
    people: { ...peopleHandlers, me: createCachedMeReader(context) },
    blocks: blockHandlers,
    mutes: muteHandlers,
    handles: handleLookupHandlers,
    newMembers: {
      know: async (context) => {
        await markMemberAsKnown(context, context.input.id)
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
      () => deleteOldSessions(context),
      'Old sessions could not be deleted; tried again in an hour',
    ),
  onReady: async ({ db, config }) => {
    await grantConfiguredAdmins(db, config)
    await transaction(db, deleteExpiredSecurityLogData)
  },
})
