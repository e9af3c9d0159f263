import './events.ts'
import { transaction } from '#core/database/transaction.ts'
import { defineFeature } from '#core/feature/module.ts'
import { startHourly } from '#core/process/hourly-cleanup.ts'
import {
  accessEndpoints,
  linkEndpoints,
  openGroupChannels,
  openGroupEndpoints,
  requestEndpoints,
} from './contract.ts'
import { deleteOld } from './decisions.ts'
import { exportSection } from './export.ts'
import { openGroupListeners } from './listeners.ts'
import { pictureGuards } from './read.ts'
import { accessHandlers, linkHandlers, openGroupHandlers, requestHandlers } from './routes.ts'
import {
  accessSchemas,
  linkSchemas,
  openGroupChannelSchemas,
  openGroupSchemas,
  requestSchemas,
} from './schemas.ts'
import { serverPages, serverSections } from './server-pages.ts'
import { openGroupMigrations } from './tables.ts'

/** Groups that members find, join, and ask to join. */
export const openGroupsModule = defineFeature({
  name: 'open-groups',
  pages: serverPages,
  pageSections: serverSections,
  migrations: openGroupMigrations,
  exportSection,
  contracts: {
    openGroups: [openGroupEndpoints, openGroupSchemas],
    groupAccess: [accessEndpoints, accessSchemas],
    groupLinks: [linkEndpoints, linkSchemas],
    groupRequests: [requestEndpoints, requestSchemas],
  },
  routes: () => ({
    openGroups: openGroupHandlers,
    groupAccess: accessHandlers,
    groupLinks: linkHandlers,
    groupRequests: requestHandlers,
  }),
  channels: [openGroupChannels, openGroupChannelSchemas],
  guards: () => ({ list: (me) => me !== null }),
  mediaGuards: pictureGuards,
  listeners: openGroupListeners,
  startBackgroundWork: (context) =>
    startHourly(
      context,
      () => transaction(context.db, deleteOld),
      'Old requests to join groups could not be deleted; tried again in an hour',
    ),
})
