import type { AppContext } from '#core/context.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import type { ChannelGuards } from '#core/realtime/authorisation.ts'
import * as adding from './add.ts'
import type {
  albumChannels,
  albumEndpoints,
  albumLinkEndpoints,
  albumPictureEndpoints,
  sharedAlbumEndpoints,
} from './contract.ts'
import * as links from './links.ts'
import * as model from './model.ts'
import * as pictures from './pictures.ts'
import * as read from './read.ts'
import * as shared from './shared.ts'
import * as zips from './zip.ts'

export const albumHandlers: Handlers<typeof albumEndpoints> = {
  list: (context) => read.list(context, context.input),
  create: async (context) => read.get(context, await model.create(context, context.input)),
  show: (context) => read.get(context, context.input.id),
  change: async (context) => {
    await model.change(context, context.input.id, context.input)
    return read.get(context, context.input.id)
  },
  remove: async (context) => {
    await model.remove(context, context.input.id)
  },
}

export const albumPictureHandlers: Handlers<typeof albumPictureEndpoints> = {
  list: (context) => pictures.list(context, context.input),
  authors: (context) => pictures.listAuthors(context, context.input),
  known: async (context) => ({
    known: await pictures.known(context, context.input.id, context.input.hashes as string[]),
  }),
  add: (context) => adding.add(context, context.input, context.files),
  zip: (context) => zips.download(context, context.input.id),
  remove: async (context) => {
    await adding.remove(context, context.input.id)
  },
}

export const albumLinkHandlers: Handlers<typeof albumLinkEndpoints> = {
  list: (context) => links.list(context, context.input.id),
  create: (context) => links.create(context, context.input.id, context.input.days),
  end: async (context) => {
    await links.end(context, context.input.id)
  },
  all: (context) => links.listAll(context, context.input),
}

export const sharedAlbumHandlers: Handlers<typeof sharedAlbumEndpoints> = {
  page: (context) => shared.page(context, context.input.token, context.input.after ?? 0, context.lang),
  zip: (context) => shared.zip(context, context.input.token),
  picture: (context) => shared.picture(context, context.input.token, context.input.id, context.lang),
  file: (context) => shared.file(context, context.input.token, context.input.id, context.input.size),
}

export const channelGuards = (context: AppContext): ChannelGuards<typeof albumChannels> => ({
  album: (me, { album }) => read.maySee(context, me, album),
})
