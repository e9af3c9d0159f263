import './events.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineFeatureModule } from '#core/module.ts'
import { communityPictureEndpointHandlers } from './community-picture.ts'
import { communityPictureEndpoints } from './community-picture-contract.ts'
import { registrationEndpoints, setupEndpoints } from './contract.ts'
import { invitationExportSection } from './export.ts'
import { invitationEndpoints, ownInvitationEndpoints } from './invitation-contract.ts'
import { joinDecisionEndpoints, joinRequestEndpoints } from './join-request-contract.ts'
import {
  countWaitingJoinRequests,
  enqueueWaitingJoinRequestsMailForEachAdmin,
} from './join-request-notices.ts'
import { joinDecisionEndpointHandlers, joinRequestEndpointHandlers } from './join-request-routes.ts'
import { deleteOldJoinRequestsAndDecisions } from './join-requests.ts'
import { pageDefinitions } from './pages.ts'
import {
  invitationEndpointHandlers,
  ownInvitationEndpointHandlers,
  registrationEndpointHandlers,
  setupEndpointHandlers,
} from './routes.ts'
import { registrationMigrations } from './tables.ts'

export const registrationModule = defineFeatureModule({
  name: 'registration',
  pages: pageDefinitions,
  migrations: registrationMigrations,
  exportSection: invitationExportSection,
  statistics: { counts: async (db) => ({ waiting_requests: await countWaitingJoinRequests(db) }) },
  contracts: {
    registration: registrationEndpoints,
    setup: setupEndpoints,
    invitations: invitationEndpoints,
    ownInvitations: ownInvitationEndpoints,
    joinRequests: joinRequestEndpoints,
    joinDecisions: joinDecisionEndpoints,
    communityPicture: communityPictureEndpoints,
  },
  routes: () => ({
    registration: registrationEndpointHandlers,
    setup: setupEndpointHandlers,
    invitations: invitationEndpointHandlers,
    ownInvitations: ownInvitationEndpointHandlers,
    joinRequests: joinRequestEndpointHandlers,
    joinDecisions: joinDecisionEndpointHandlers,
    communityPicture: communityPictureEndpointHandlers,
  }),
  jobs: {
    join_request_notice: (_, __, context) => enqueueWaitingJoinRequestsMailForEachAdmin(context),
  },
  startBackgroundWork: (context) =>
    startHourlyCleanup(
      context,
      () => deleteOldJoinRequestsAndDecisions(context),
      'Old requests to join could not be deleted; tried again in an hour',
    ),
})
