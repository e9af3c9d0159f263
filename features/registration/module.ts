import './events.ts'
import { startHourlyCleanup } from '#core/hourly-cleanup.ts'
import { defineModule } from '#core/module.ts'
import { communityPictureHandlers } from './community-picture.ts'
import { communityPictureEndpoints } from './community-picture-contract.ts'
import { registrationEndpoints, setupEndpoints } from './contract.ts'
import { registrationExportSection } from './export.ts'
import { invitationEndpoints, ownInvitationEndpoints } from './invitation-contract.ts'
import { joinDecisionEndpoints, joinRequestEndpoints } from './join-request-contract.ts'
import { countWaitingJoinRequests, sendJoinRequestNotice } from './join-request-notices.ts'
import { joinDecisionHandlers, joinRequestHandlers } from './join-request-routes.ts'
import { deleteOldJoinRequestsAndDecisions } from './join-requests.ts'
import { pages } from './pages.ts'
import { invitationHandlers, ownInvitationHandlers, registrationHandlers, setupHandlers } from './routes.ts'
import { migrations } from './tables.ts'

export const registrationModule = defineModule({
  name: 'registration',
  pages,
  migrations,
  exportSection: registrationExportSection,
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
    registration: registrationHandlers,
    setup: setupHandlers,
    invitations: invitationHandlers,
    ownInvitations: ownInvitationHandlers,
    joinRequests: joinRequestHandlers,
    joinDecisions: joinDecisionHandlers,
    communityPicture: communityPictureHandlers,
  }),
  jobs: {
    join_request_notice: (_, __, context) => sendJoinRequestNotice(context),
  },
  startBackgroundWork: (context) =>
    startHourlyCleanup(
      context,
      () => deleteOldJoinRequestsAndDecisions(context),
      'Old requests to join could not be deleted; tried again in an hour',
    ),
})
