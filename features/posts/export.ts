import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import {
  type DataExportPicture,
  type DataExportRecord,
  type DataExportSection,
  listDataExportPictureOfUrl,
  yieldAllKeysetPages,
} from '#core/exports.ts'
import { formatPersonNameForExport } from '#features/people/export.ts'
import type { AttachedImage, Post } from './contract.ts'
import type { PostVersion } from './edit-contract.ts'
import { readEarlierOwnPostVersionsByPostId } from './edits.ts'
import type { ViewerDependentPostField } from './read.ts'
import {
  countOwnPosts,
  listBookmarkedPostsForExport,
  listLikedPostsForExport,
  listOwnPosts,
} from './read-own.ts'

const texts = {
  en: {
    posts: 'Posts',
    bookmarks: 'Bookmarks',
    bookmarkedAt: 'You bookmarked it at',
    editedAt: 'Edited at',
    earlierVersion: 'Earlier version',
    likes: 'Likes that you gave',
    liked: (count: number) => (count === 1 ? '1 like' : `${count} likes`),
    likedAt: 'You liked it at',
    audience: 'Visible to',
    members: 'Members',
    followers: 'Your followers',
    group: 'A group',
  },
  ja: {
    posts: '投稿',
    bookmarks: 'ブックマーク',
    bookmarkedAt: 'ブックマークした日時',
    editedAt: '編集日時',
    earlierVersion: '以前の内容',
    likes: 'あなたの「いいね」',
    liked: (count: number) => `いいね ${count}件`,
    likedAt: '「いいね」した日時',
    audience: '公開範囲',
    members: 'メンバー',
    followers: 'あなたのフォロワー',
    group: 'グループ',
  },
} satisfies Record<Language, object>

/**
 * Converts the images of a post, a reply or a message to pictures of a data export. Takes the largest file of
 * each image.
 */
export const toExportPictures = (images: readonly AttachedImage[]): DataExportPicture[] =>
  images.flatMap(({ full, alt, width, height }) =>
    listDataExportPictureOfUrl(full, { alt, size: { width, height } }),
  )

async function* readPostRecords(viewer: MemberContext, lang: Language) {
  for await (const posts of yieldAllKeysetPages((page) => listOwnPosts(viewer, page))) {
    const versionsByPost = await readEarlierOwnPostVersionsByPostId(
      viewer,
      posts.map(({ id }) => id),
    )
    yield posts.map((post) => toPostRecord(post, versionsByPost.get(post.id) ?? [], texts[lang]))
  }
}

function toPostRecord(
  { id, body, created_at, edited_at, likes_count, images, audience }: Omit<Post, ViewerDependentPostField>,
  versions: readonly Pick<PostVersion, 'body' | 'created_at'>[],
  t: (typeof texts)[Language],
): DataExportRecord {
  const earlier = versions.map(({ body: text, created_at: written_at }) => ({ body: text, written_at }))
  return {
    data: {
      id,
      body,
      created_at,
      likes_count,
      ...(audience && { audience }),
      ...(edited_at && { edited_at, versions: earlier }),
    },
    time: created_at,
    text: body,
    pictures: toExportPictures(images),
    facts: [
      ...(audience ? [[t.audience, t[audience]] as const] : []),
      ...(edited_at ? [[t.editedAt, { time: edited_at }] as const] : []),
      ...earlier.map(({ body: text }) => [t.earlierVersion, text ?? ''] as const),
    ],
    note: likes_count ? t.liked(likes_count) : undefined,
  }
}

async function* readLikeRecords(viewer: MemberContext, lang: Language) {
  for await (const likes of yieldAllKeysetPages((page) => listLikedPostsForExport(viewer, page)))
    yield likes.map(
      ({ id, body, user, created_at, liked_at }): DataExportRecord => ({
        data: { post_id: id, body, author: { id: user.id, name: user.name }, created_at, liked_at },
        heading: formatPersonNameForExport(user),
        time: created_at,
        text: body,
        facts: [[texts[lang].likedAt, { time: liked_at }]],
      }),
    )
}

async function* readBookmarkRecords(viewer: MemberContext, lang: Language) {
  for await (const bookmarks of yieldAllKeysetPages((page) => listBookmarkedPostsForExport(viewer, page)))
    yield bookmarks.map(
      ({ id, body, user, created_at, bookmarked_at }): DataExportRecord => ({
        data: { post_id: id, body, author: { id: user.id, name: user.name }, created_at, bookmarked_at },
        heading: formatPersonNameForExport(user),
        time: created_at,
        text: body,
        facts: [[texts[lang].bookmarkedAt, { time: bookmarked_at }]],
      }),
    )
}

export const postExportSection: DataExportSection = {
  title: { en: 'Posts', ja: '投稿' },
  count: countOwnPosts,
  async *documents(viewer, lang) {
    const t = texts[lang]
    yield { path: 'posts', title: t.posts, layout: 'list', pages: () => readPostRecords(viewer, lang) }
    yield { path: 'likes', title: t.likes, layout: 'list', pages: () => readLikeRecords(viewer, lang) }
    yield {
      path: 'bookmarks',
      title: t.bookmarks,
      layout: 'list',
      pages: () => readBookmarkRecords(viewer, lang),
    }
  },
}
