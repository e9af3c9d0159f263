import { basename } from 'node:path'
import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import {
  type ExportFile,
  type ExportPicture,
  type ExportRecord,
  type ExportSection,
  exportPictureOf,
  yieldPages,
} from '#core/feature/exports.ts'
import * as storedNames from '#core/media/stored-names.ts'
import { exportedName } from '#features/people/export.ts'
import type { AttachedFile, AttachedImage, Post, PostVersion } from './contract.ts'
import { ownVersions } from './edits.ts'
import type { ViewerField } from './read.ts'
import { countOwnPosts, listBookmarked, listLiked, listOwnPosts } from './read-own.ts'

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
    liked: (count: number) => `いいね${count}件`,
    likedAt: '「いいね」した日時',
    audience: '公開範囲',
    members: 'メンバー',
    followers: 'あなたのフォロワー',
    group: 'グループ',
  },
} satisfies Record<Language, object>

/** Takes the largest file of each image of a post, a reply or a message. */
export const toExportPictures = (images: readonly AttachedImage[]): ExportPicture[] =>
  images.flatMap(({ full, alt, width, height }) => exportPictureOf(full, { alt, size: { width, height } }))

/** Of a post, a reply or a message. */
export const toExportFiles = (files: readonly AttachedFile[] = []): ExportFile[] =>
  files.map(({ path, name }) => ({ file: storedNames.ofFile(basename(path)), name }))

async function* readPostRecords(viewer: MemberContext, lang: Language) {
  for await (const posts of yieldPages((page) => listOwnPosts(viewer, page))) {
    const versionsByPost = await ownVersions(
      viewer,
      posts.map(({ id }) => id),
    )
    yield posts.map((post) => toPostRecord(post, versionsByPost.get(post.id) ?? [], texts[lang]))
  }
}

function toPostRecord(
  { id, body, created_at, edited_at, likes_count, images, files, audience }: Omit<Post, ViewerField>,
  versions: readonly Pick<PostVersion, 'body' | 'created_at'>[],
  t: (typeof texts)[Language],
): ExportRecord {
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
    files: toExportFiles(files),
    facts: [
      ...(audience ? [[t.audience, t[audience]] as const] : []),
      ...(edited_at ? [[t.editedAt, { time: edited_at }] as const] : []),
      ...earlier.map(({ body: text }) => [t.earlierVersion, text ?? ''] as const),
    ],
    note: likes_count ? t.liked(likes_count) : undefined,
  }
}

async function* readLikeRecords(viewer: MemberContext, lang: Language) {
  for await (const likes of yieldPages((page) => listLiked(viewer, page)))
    yield likes.map(
      ({ id, body, user, created_at, liked_at }): ExportRecord => ({
        data: { post_id: id, body, author: { id: user.id, name: user.name }, created_at, liked_at },
        heading: exportedName(user),
        time: created_at,
        text: body,
        facts: [[texts[lang].likedAt, { time: liked_at }]],
      }),
    )
}

async function* readBookmarkRecords(viewer: MemberContext, lang: Language) {
  for await (const bookmarks of yieldPages((page) => listBookmarked(viewer, page)))
    yield bookmarks.map(
      ({ id, body, user, created_at, bookmarked_at }): ExportRecord => ({
        data: { post_id: id, body, author: { id: user.id, name: user.name }, created_at, bookmarked_at },
        heading: exportedName(user),
        time: created_at,
        text: body,
        facts: [[texts[lang].bookmarkedAt, { time: bookmarked_at }]],
      }),
    )
}

export const exportSection: ExportSection = {
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
