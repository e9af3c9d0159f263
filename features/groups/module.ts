import '#features/conversations/events.ts'
import '#features/people/events.ts'
import '#features/registration/events.ts'
import './events.ts'
import { defineFeature } from '#core/feature/module.ts'
import {
  descriptionEndpoints,
  endingEndpoints,
  groupEndpoints,
  ownerEndpoints,
  pictureEndpoints,
  slowModeEndpoints,
  writersEndpoints,
} from './contract.ts'
import { addInvited, requireInviter } from './invitations.ts'
import { handOver } from './member-deletion.ts'
import { groupMemberships } from './memberships.ts'
import * as owners from './owners.ts'
import { pictureGuards, pictureHandlers } from './pictures.ts'
import {
  descriptionHandlers,
  endingHandlers,
  groupHandlers,
  ownerHandlers,
  slowModeHandlers,
  writersHandlers,
} from './routes.ts'
import {
  descriptionSchemas,
  endingSchemas,
  groupSchemas,
  ownerSchemas,
  pictureSchemas,
  slowModeSchemas,
  writersSchemas,
} from './schemas.ts'
import { serverPages, serverSections } from './server-pages.ts'
import { groupMigrations } from './tables.ts'

export const groupsModule = defineFeature({
  name: 'groups',
  pages: serverPages,
  pageSections: serverSections,
  migrations: groupMigrations,
  contracts: {
    groups: [groupEndpoints, groupSchemas],
    slowMode: [slowModeEndpoints, slowModeSchemas],
    groupWriters: [writersEndpoints, writersSchemas],
    groupEndings: [endingEndpoints, endingSchemas],
    groupDescriptions: [descriptionEndpoints, descriptionSchemas],
    groupOwners: [ownerEndpoints, ownerSchemas],
    groupPictures: [pictureEndpoints, pictureSchemas],
  },
  routes: () => ({
    groups: groupHandlers,
    slowMode: slowModeHandlers,
    groupWriters: writersHandlers,
    groupEndings: endingHandlers,
    groupDescriptions: descriptionHandlers,
    groupOwners: ownerHandlers,
    groupPictures: pictureHandlers,
  }),
  mediaGuards: pictureGuards,
  provides: () => ({ groups: groupMemberships }),
  listeners: {
    'invitation.group_named': async (tx, event, context) => {
      await requireInviter(context, tx, event)
    },
    'invitation.used': (tx, event, context) => addInvited(context, tx, event),
    'chats.handed_over': (tx, event, context) => handOver(context, tx, event),
    'member.suspended': (tx, { id }, context) => owners.passAllOn(context, tx, id),
  },
})
