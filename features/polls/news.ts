import type { Language } from '#core/contract.ts'
import { MAX_READ, personAvatar, type ReadNews } from '#core/feature/news.ts'
import { excerpt } from '#core/text/format.ts'
import { honorific } from '#core/text/honorific.ts'
import { pollPath } from './path-contract.ts'
import { list } from './waiting.ts'

const MAX_TEXT = 140

const titles: Record<Language, (name: string) => string> = {
  en: (name) => `${name} waits for your answer`,
  ja: (name) => `${name}${honorific(name)}が、あなたの回答を待っています`,
}

/** All that the member may answer, and has not, whenever they were asked. */
export const readNews: ReadNews = async (viewer) => {
  const { body, next } = await list(viewer, { limit: MAX_READ })
  const entries = body.map((poll) => ({
    key: poll.post_id === null ? `poll ${poll.id}` : `post ${poll.post_id}`,
    path: pollPath(poll),
    avatar: personAvatar(poll.user),
    title: titles[viewer.lang](poll.user.name),
    text: poll.text === null ? null : excerpt(poll.text, MAX_TEXT),
    at: poll.created_at,
  }))
  return { asked: { path: '/waiting', entries, more: next ? 1 : 0 } }
}
