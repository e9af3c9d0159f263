import '#features/groups/events.ts'
import '#features/people/events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { albumChannels, albumEndpoints, albumPictureEndpoints } from './contract.ts'
import { deleteOfGroup, deleteOfMember } from './deletion.ts'
import { exportSection } from './export.ts'
import { pageSections } from './page-sections.ts'
import * as pictures from './pictures.ts'
import { albumHandlers, albumPictureHandlers, channelGuards } from './routes.ts'
import { albumChannelSchemas, albumPictureSchemas, albumSchemas } from './schemas.ts'
import { serverPages } from './server-pages.ts'
import { albumStatistics, countPictures, pictureSizes } from './statistics.ts'
import { albumMigrations } from './tables.ts'

export const albumsModule = defineFeature({
  name: 'albums',
  pages: serverPages,
  pageSections,
  migrations: albumMigrations,
  statistics: albumStatistics,
  storedFiles: pictureSizes,
  countContent: countPictures,
  exportSection,
  contracts: {
    albums: [albumEndpoints, albumSchemas],
    albumPictures: [albumPictureEndpoints, albumPictureSchemas],
  },
  routes: () => ({ albums: albumHandlers, albumPictures: albumPictureHandlers }),
  channels: [albumChannels, albumChannelSchemas],
  guards: channelGuards,
  mediaGuards: pictures.guards,
  listeners: {
    'group.deleted': (tx, { conversation_id }, context) => deleteOfGroup(context, tx, conversation_id),
    'member.deleted': (tx, { id }, context) => deleteOfMember(context, tx, id),
  },
})
