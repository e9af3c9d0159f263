import '#features/groups/events.ts'
import '#features/people/events.ts'
import { defineFeature } from '#core/feature/module.ts'
import { startHourly } from '#core/process/hourly-cleanup.ts'
import {
  albumChannels,
  albumEndpoints,
  albumLinkEndpoints,
  albumPictureEndpoints,
  sharedAlbumEndpoints,
} from './contract.ts'
import { deleteOfGroup, deleteOfMember } from './deletion.ts'
import { exportSection } from './export.ts'
import { albumLinkSchemas, sharedAlbumSchemas } from './link-schemas.ts'
import * as links from './links.ts'
import { readNews } from './news.ts'
import { pageSections } from './page-sections.ts'
import * as pictures from './pictures.ts'
import {
  albumHandlers,
  albumLinkHandlers,
  albumPictureHandlers,
  channelGuards,
  sharedAlbumHandlers,
} from './routes.ts'
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
    albumLinks: [albumLinkEndpoints, albumLinkSchemas],
    sharedAlbums: [sharedAlbumEndpoints, sharedAlbumSchemas],
  },
  news: readNews,
  routes: () => ({
    albums: albumHandlers,
    albumPictures: albumPictureHandlers,
    albumLinks: albumLinkHandlers,
    sharedAlbums: sharedAlbumHandlers,
  }),
  channels: [albumChannels, albumChannelSchemas],
  guards: channelGuards,
  mediaGuards: pictures.guards,
  startBackgroundWork: (context) =>
    startHourly(
      context,
      () => links.deleteEnded(context),
      'Links to albums that have ended could not be deleted; tried again in an hour',
    ),
  listeners: {
    'group.deleted': (tx, { conversation_id }, context) => deleteOfGroup(context, tx, conversation_id),
    'member.deleted': (tx, { id }, context) => deleteOfMember(context, tx, id),
  },
})
