import type { AppContext } from '#core/context.ts'
import type { EndpointHandlers } from '#core/http/endpoints.ts'
import { createInvalidFieldError } from '#core/http/errors.ts'
import type { MediaReadGuardsByName } from '#core/media/guards.ts'
import type { AllowedEventViewers } from '#core/realtime/visibility.ts'
import type { bookmarkEndpoints } from './bookmark-contract.ts'
import { addBookmark, removeBookmark } from './bookmarks.ts'
import { type PostChannelEventDataByName, postChannelDefinitions, type postEndpoints } from './contract.ts'
import type { postEditEndpoints } from './edit-contract.ts'
import { editOwnPost, listPostVersions } from './edits.ts'
import type { getPostListReadFunctions } from './feeds.ts'
import * as model from './model.ts'
import { MAX_PINNED_POSTS, type postPinEndpoints } from './pin-contract.ts'
import { type PinnedOrUnpinnedPost, pinPost, unpinPost } from './pins.ts'
import * as read from './read.ts'
import { attachedImageOutputWidthsAndStandardWidth } from './read-images.ts'
import { POST_IMAGE_ACCESS_GUARD_NAME } from './tables.ts'
import { isPostHiddenByModerator, listAudienceGroups, readPostEventViewers } from './visible-posts.ts'

const messages = {
  created: { en: 'Post submitted successfully.', ja: '投稿しました。' },
  edited: { en: 'The post was changed.', ja: '投稿を変更しました。' },
  deleted: { en: 'The post was deleted.', ja: '投稿を削除しました。' },
  pinned: { en: 'The post is pinned.', ja: '投稿をピン留めしました。' },
  pinnedAndUnpinned: {
    en: `The post is pinned. Only ${MAX_PINNED_POSTS} posts can be pinned, so the oldest pin was removed.`,
    ja: `投稿をピン留めしました。ピン留めは${MAX_PINNED_POSTS}件までなので、最も古いピン留めを外しました。`,
  },
  announcedNow: { en: 'Everyone is told of it now.', ja: 'みんなにお知らせします。' },
  announcedEarlier: {
    en: 'Everyone was told of it before.',
    ja: 'この投稿は、前にみんなにお知らせしました。',
  },
  unpinned: { en: 'The post is no longer pinned.', ja: '投稿のピン留めを外しました。' },
  nothing: { en: 'Write something or add a picture.', ja: '文章を入力するか、画像を追加してください。' },
}

/**
 * Creates the guard that decides who may load the pictures of posts that are not for everybody, or that a
 * moderator has hidden.
 */
export const createPostImageAccessGuardsByName = (context: AppContext): MediaReadGuardsByName => ({
  [POST_IMAGE_ACCESS_GUARD_NAME]: (me, picture) => read.maySeePostImage({ ...context, me }, picture),
})

/**
 * Creates the function that broadcasts an event of a post. `onlyFor` are the viewers who may see the post; a
 * viewer does not get the event if they have muted one of the people in `aboutUsers`, or may not see one of
 * them.
 */
const createBroadcast =
  ({ realtime }: AppContext) =>
  <E extends keyof PostChannelEventDataByName>(
    event: E,
    data: PostChannelEventDataByName[E],
    aboutUsers: number[],
    onlyFor: AllowedEventViewers | undefined,
  ) =>
    realtime.broadcast([postChannelDefinitions.posts.name], event, data, {
      aboutUsers,
      unlessMuted: true,
      onlyFor,
    })

type PostListReaders = ReturnType<typeof getPostListReadFunctions>

export function createPostEditEndpointHandlers(app: AppContext): EndpointHandlers<typeof postEditEndpoints> {
  const broadcast = createBroadcast(app)
  return {
    edit: async (context) => {
      const { id, text } = context.input
      const change = await editOwnPost(context, id, text)
      const post = await read.readPost(context, id)
      const { body, edited_at } = post
      if (change && edited_at)
        broadcast('PostChanged', { id, body, edited_at }, [context.me.id], change.viewers)
      return { message: messages.edited[context.lang], post }
    },
    versions: (context) => listPostVersions(context, context.input),
  }
}

export const createBookmarkEndpointHandlers = (
  feeds: PostListReaders,
): EndpointHandlers<typeof bookmarkEndpoints> => ({
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

export function createPostPinEndpointHandlers(
  app: AppContext,
  feeds: PostListReaders,
): EndpointHandlers<typeof postPinEndpoints> {
  const broadcast = createBroadcast(app)
  const broadcastAll = (changes: readonly PinnedOrUnpinnedPost[]) => {
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

export function createPostEndpointHandlers(
  app: AppContext,
  feeds: PostListReaders,
): EndpointHandlers<typeof postEndpoints> {
  const broadcast = createBroadcast(app)
  const readFirstSteps = read.createCachedFirstStepsReader(app)
  const broadcastLikes = (
    id: number,
    { author, is_hidden, viewers, ...likes }: model.PostLikeChangeResult,
  ) => {
    if (!is_hidden) broadcast('PostLiked', { id, likes_count: likes.likes_count }, [author], viewers)
    return likes
  }

  return {
    list: (context) => feeds.all(context, context.input),
    following: (context) => feeds.following(context, context.input),
    byAuthor: ({ input: { id, ...page }, ...context }) => feeds.byAuthor(context, id, page),
    show: (context) => read.readPost(context, context.input.id),
    author: (context) => read.readProfileWithPostsCount(context, context.input.id),
    likers: (context) => read.listPostLikers(context, context.input),
    audienceGroups: (context) => listAudienceGroups(context),
    firstSteps: readFirstSteps,

    create: async (context) => {
      const { me, media, files, lang } = context
      const { text: body, alt, client_id, audience, group_id } = context.input
      if (!body && !files.length) throw createInvalidFieldError('text', messages.nothing)
      const { id, post: created } = await media.store(
        files,
        attachedImageOutputWidthsAndStandardWidth,
        (pictures) =>
          model.createPost(context, { body, pictures, descriptions: alt, client_id, audience, group_id }),
      )
      const post = created && !files.length ? created : await read.readPost(context, id)
      // Broadcasts the post again when the client repeats a request, because the process may have ended
      // before the first broadcast. Does not broadcast a post that a moderator has hidden since then.
      if (created || !(await isPostHiddenByModerator(context.db, id))) {
        // Uses the stored audience of the post, because a repeated request may name another audience.
        const { audience: stored = 'everyone', group_id: group = null } = post
        const viewers = await readPostEventViewers(context, {
          author: me.id,
          audience: stored,
          group_id: group,
        })
        const data = { id, user_id: me.id, post: { ...post, liked_by_me: false, bookmarked_by_me: false } }
        broadcast('PostCreated', data, [me.id], viewers)
      }
      return { message: messages.created[lang], post }
    },
    remove: async (context) => {
      const { id } = context.input
      const { pictures, viewers } = await model.deletePostAsAuthorOrAdmin(context, id)
      broadcast('PostDeleted', { id }, [], viewers)
      await context.media.deleteUnreferenced(pictures)
      return { message: messages.deleted[context.lang] }
    },

    toggleLike: async (context) =>
      broadcastLikes(context.input.id, await model.togglePostLike(context, context.input.id)),
    like: async (context) =>
      broadcastLikes(context.input.id, await model.likePost(context, context.input.id)),
    unlike: async (context) => {
      const { id } = context.input
      const { isVisible, likes } = await model.unlikePost(context, id)
      const answer = broadcastLikes(id, likes)
      // Throws the same 404 as for a member who does not like the post, so that the response does not tell
      // whether the post still exists.
      if (!isVisible) throw read.createNoSuchPostError()
      return answer
    },
  }
}
