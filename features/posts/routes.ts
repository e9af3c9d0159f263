import type { AppContext } from '#core/context.ts'
import type { Handlers } from '#core/http/endpoints.ts'
import { fieldError } from '#core/http/errors.ts'
import type { MediaGuards } from '#core/media/guards.ts'
import * as audiences from './audiences.ts'
import { addBookmark, removeBookmark } from './bookmarks.ts'
import * as broadcasts from './broadcasts.ts'
import {
  type bookmarkEndpoints,
  type editEndpoints,
  MAX_PINNED_POSTS,
  type pinEndpoints,
  type postEndpoints,
} from './contract.ts'
import { editOwnPost, listVersions } from './edits.ts'
import type { getFeeds } from './feeds.ts'
import * as model from './model.ts'
import { type PinChange, pinPost, unpinPost } from './pins.ts'
import * as read from './read.ts'
import { imageWidths } from './read-images.ts'
import { POST_FILE_GUARD, POST_IMAGE_GUARD } from './tables.ts'

const messages = {
  created: { en: 'Post submitted successfully.', ja: '投稿しました。' },
  edited: { en: 'The post was changed.', ja: '投稿を変更しました。' },
  deleted: { en: 'The post was deleted.', ja: '投稿を削除しました。' },
  pinned: { en: 'The post is pinned.', ja: '投稿をピン留めしました。' },
  pinnedAndUnpinned: {
    en: `The post is pinned. Only ${MAX_PINNED_POSTS} posts can be pinned, so the oldest pin was removed.`,
    ja: `投稿をピン留めしました。ピン留めは${MAX_PINNED_POSTS}件までなので、最も古いピン留めを外しました。`,
  },
  announcedNow: { en: 'Everyone is told of it now.', ja: 'みんなにお知らせしました。' },
  announcedEarlier: {
    en: 'Everyone was told of it before.',
    ja: 'この投稿は、すでにお知らせ済みです。',
  },
  unpinned: { en: 'The post is no longer pinned.', ja: '投稿のピン留めを外しました。' },
  nothing: {
    en: 'Write something or add a picture or file.',
    ja: '文章を入力するか、画像かファイルを追加してください。',
  },
}

/** For files, and for pictures of posts that are not for everybody, or that a moderator has hidden. */
export const mediaGuards = (context: AppContext): MediaGuards => ({
  [POST_IMAGE_GUARD]: (me, picture) => read.canSeeMedia({ ...context, me }, picture),
  [POST_FILE_GUARD]: { mayRead: (me, file) => read.canSeeMedia({ ...context, me }, file) },
})

type Feeds = ReturnType<typeof getFeeds>

export function editHandlers(app: AppContext): Handlers<typeof editEndpoints> {
  const broadcast = broadcasts.to(app)
  return {
    edit: async (context) => {
      const { id, text } = context.input
      const change = await editOwnPost(context, id, text)
      const post = await read.get(context, id)
      const { body, edited_at } = post
      if (change && edited_at)
        broadcast('PostChanged', { id, body, edited_at }, [context.me.id], change.viewers)
      return { message: messages.edited[context.lang], post }
    },
    versions: (context) => listVersions(context, context.input),
  }
}

export const bookmarkHandlers = (feeds: Feeds): Handlers<typeof bookmarkEndpoints> => ({
  list: (context) => feeds.bookmarked(context, context.input),
  add: async (context) => {
    await addBookmark(context, context.input.id)
    return { bookmarked: true }
  },
  remove: async (context) => {
    await removeBookmark(context, context.input.id)
    return { bookmarked: false }
  },
})

export function pinHandlers(app: AppContext, feeds: Feeds): Handlers<typeof pinEndpoints> {
  const broadcast = broadcasts.to(app)
  const broadcastAll = (changes: readonly PinChange[]) => {
    for (const { id, pinned, author, viewers } of changes)
      broadcast('PostPinned', { id, pinned }, [author], viewers)
  }
  return {
    list: (context) => feeds.pinned(context, context.input.group_id),
    pin: async (context) => {
      const { id, tell_everyone } = context.input
      const { changes, announcement } = await pinPost(context, id, tell_everyone)
      broadcastAll(changes)
      const sentences = [changes.length > 1 ? messages.pinnedAndUnpinned : messages.pinned]
      if (announcement)
        sentences.push(announcement === 'new' ? messages.announcedNow : messages.announcedEarlier)
      const { lang } = context
      const message = sentences.map((sentence) => sentence[lang]).join(lang === 'ja' ? '' : ' ')
      return { message, pinned: true }
    },
    unpin: async (context) => {
      broadcastAll(await unpinPost(context, context.input.id))
      return { message: messages.unpinned[context.lang], pinned: false }
    },
  }
}

export function postHandlers(app: AppContext, feeds: Feeds): Handlers<typeof postEndpoints> {
  const broadcast = broadcasts.to(app)
  const broadcastLikes = (id: number, { author, is_hidden, viewers, ...likes }: model.LikeChange) => {
    if (!is_hidden) broadcast('PostLiked', { id, likes_count: likes.likes_count }, [author], viewers)
    return likes
  }

  return {
    list: (context) => feeds.all(context, context.input),
    following: (context) => feeds.following(context, context.input),
    byAuthor: ({ input: { id, ...page }, ...context }) => feeds.byAuthor(context, id, page),
    show: (context) => read.get(context, context.input.id),
    author: (context) => read.getProfile(context, context.input.id),
    likers: (context) => read.listLikers(context, context.input),
    audienceGroups: (context) => audiences.listGroups(context),
    firstSteps: read.getFirstSteps,

    create: async (context) => {
      const { media, files, lang } = context
      const { text: body, alt, ...further } = context.input
      if (!body && !files.length) throw fieldError('text', messages.nothing)
      const { id, post: created } = await media.store(files, imageWidths, (pictures, stored, previews) =>
        model.create(context, { body, pictures, files: stored, previews, descriptions: alt, ...further }),
      )
      const post = created && !files.length ? created : await read.get(context, id)
      // Also when the client repeats a request, because the process may have ended before the first
      // broadcast; but not for a post that a moderator has hidden since then.
      if (created || !(await audiences.isHidden(context.db, id))) await broadcasts.created(context, post)
      return { message: messages.created[lang], post }
    },
    remove: async (context) => {
      const { id } = context.input
      const { pictures, viewers } = await model.remove(context, id)
      broadcast('PostDeleted', { id }, [], viewers)
      await context.media.deleteUnreferenced(pictures)
      return { message: messages.deleted[context.lang] }
    },

    toggleLike: async (context) =>
      broadcastLikes(context.input.id, await model.toggleLike(context, context.input.id)),
    like: async (context) => broadcastLikes(context.input.id, await model.like(context, context.input.id)),
    unlike: async (context) => {
      const { id } = context.input
      const { isVisible, likes } = await model.unlike(context, id)
      const answer = broadcastLikes(id, likes)
      // The same 404 as without a like, so that the response does not tell whether the post still exists.
      if (!isVisible) throw read.notFound()
      return answer
    },
  }
}
