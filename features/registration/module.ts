import './events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { startHourly } from '#core/process/hourly-cleanup.ts'
import { pictureHandlers } from './community-picture.ts'
import {
  decisionEndpoints,
  invitationEndpoints,
  joinEndpoints,
  ownInvitationEndpoints,
  pictureEndpoints,
  registrationEndpoints,
  setupEndpoints,
} from './contract.ts'
import { exportSection } from './export.ts'
import * as joinNotices from './join-request-notices.ts'
import { decisionHandlers, joinHandlers } from './join-request-routes.ts'
import * as joinRequests from './join-requests.ts'
import { invitationHandlers, ownInvitationHandlers, registrationHandlers, setupHandlers } from './routes.ts'
import {
  decisionSchemas,
  invitationSchemas,
  joinSchemas,
  ownInvitationSchemas,
  pictureSchemas,
  registrationSchemas,
  setupSchemas,
} from './schemas.ts'
import { serverPages } from './server-pages.ts'
import { registrationMigrations } from './tables.ts'

export const registrationModule = defineFeature({
  name: 'registration',
  pages: serverPages,
  migrations: registrationMigrations,
  exportSection: exportSection,
  statistics: { counts: async (db) => ({ waiting_requests: await joinNotices.countWaiting(db) }) },
  contracts: {
    registration: [registrationEndpoints, registrationSchemas],
    setup: [setupEndpoints, setupSchemas],
    invitations: [invitationEndpoints, invitationSchemas],
    ownInvitations: [ownInvitationEndpoints, ownInvitationSchemas],
    joinRequests: [joinEndpoints, joinSchemas],
    joinDecisions: [decisionEndpoints, decisionSchemas],
    communityPicture: [pictureEndpoints, pictureSchemas],
  },
  routes: () => ({
    registration: registrationHandlers,
    setup: setupHandlers,
    invitations: invitationHandlers,
    ownInvitations: ownInvitationHandlers,
    joinRequests: joinHandlers,
    joinDecisions: decisionHandlers,
    communityPicture: pictureHandlers,
  }),
  jobs: {
    join_request_notice: (_, __, context) => joinNotices.mailAdmins(context),
  },
  startBackgroundWork: (context) =>
    startHourly(
      context,
      () => joinRequests.deleteOld(context),
      'Old requests to join could not be deleted; tried again in an hour',
    ),
})
