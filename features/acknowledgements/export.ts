import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldPages } from '#core/feature/exports.ts'
import * as read from './read-own.ts'

const texts = {
  en: { post: (id: number) => `Post ${id}`, forChild: 'For the child', byGuardian: 'By the guardian' },
  ja: { post: (id: number) => `投稿 ${id}`, forChild: 'お子さんの分', byGuardian: '保護者が回答' },
} satisfies Record<Language, object>

const titles = {
  read: { en: 'Posts that you have marked as read', ja: '「読みました」と答えた投稿' },
  asked: { en: 'Posts for which you have asked who read them', ja: '確認をお願いした投稿' },
}

async function* readAnswers(viewer: MemberContext, lang: Language) {
  const t = texts[lang]
  for await (const answers of yieldPages((page) => read.answers(viewer, page)))
    yield answers.map(
      (answer): ExportRecord => ({
        data: answer,
        heading: t.post(answer.post_id),
        time: answer.created_at,
        note: answer.by_id === null ? undefined : answer.by_id === viewer.me.id ? t.forChild : t.byGuardian,
      }),
    )
}

async function* readRequests(viewer: MemberContext, lang: Language) {
  for await (const requests of yieldPages((page) => read.requests(viewer, page)))
    yield requests.map(
      (request): ExportRecord => ({
        data: request,
        heading: texts[lang].post(request.post_id),
        time: request.created_at,
      }),
    )
}

export const exportSection: ExportSection = {
  title: { en: 'Marked as read', ja: '「読みました」' },
  count: (viewer) => read.countAll(viewer),
  async *documents(viewer, lang) {
    yield {
      path: 'acknowledgements',
      title: titles.read[lang],
      layout: 'list',
      pages: () => readAnswers(viewer, lang),
    }
    yield {
      path: 'acknowledgement-requests',
      title: titles.asked[lang],
      layout: 'list',
      pages: () => readRequests(viewer, lang),
    }
  },
}
