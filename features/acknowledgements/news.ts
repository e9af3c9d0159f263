import type { Language } from '#core/contract.ts'
import { MAX_READ, personAvatar, type ReadNews } from '#core/feature/news.ts'
import { excerpt } from '#core/text/format.ts'
import { honorific } from '#core/text/honorific.ts'
import { waiting } from './lists.ts'

const MAX_TEXT = 140

const titles: Record<Language, (name: string) => string> = {
  en: (name) => `${name} asks you to read this`,
  ja: (name) => `${name}${honorific(name)}から、確認のお願いです`,
}

/** All that wait for the member, whenever they were asked. */
export const readNews: ReadNews = async (viewer) => {
  const { body, next } = await waiting(viewer, { limit: MAX_READ })
  const entries = body.map(({ id, body: text, user, created_at }) => ({
    key: `post ${id}`,
    path: `/posts/${id}`,
    avatar: personAvatar(user),
    title: titles[viewer.lang](user.name),
    text: text === null ? null : excerpt(text, MAX_TEXT),
    at: created_at,
  }))
  return { asked: { path: '/waiting', entries, more: next ? 1 : 0 } }
}
