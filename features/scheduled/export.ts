import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldOnePage } from '#core/feature/exports.ts'
import { exportedName } from '#features/people/export.ts'
import * as attachments from '#features/posts/attachments.ts'
import { toExportFiles, toExportPictures } from '#features/posts/export.ts'
import type { Scheduled } from './contract.ts'
import * as read from './read.ts'
import { scheduledPlace } from './tables.ts'

const title = { en: 'Scheduled posts and messages', ja: '送信予約' }
const texts = {
  en: { post: 'Post', notSent: 'Not sent', to: (name: string) => `To ${name}` },
  ja: { post: '投稿', notSent: '送れませんでした', to: (name: string) => `宛先：${name}` },
} satisfies Record<Language, object>

function headingOf({ kind, person, group }: Scheduled, lang: Language) {
  const t = texts[lang]
  if (kind === 'post') return t.post
  return t.to(person ? exportedName(person) : (group?.name ?? '–'))
}

async function readRecords(viewer: MemberContext, lang: Language): Promise<ExportRecord[]> {
  const [all, parts] = await Promise.all([read.list(viewer, lang), read.partsById(viewer)])
  const attachmentsOf = await attachments.read(
    viewer,
    scheduledPlace,
    all.map(({ id }) => id),
  )
  return all.map(({ images, files: _, ...one }) => ({
    data: { ...one, ...parts.get(one.id) },
    heading: headingOf({ images, files: [], ...one }, lang),
    time: one.due_at,
    text: one.text,
    pictures: toExportPictures(images),
    files: toExportFiles(attachmentsOf(one.id).files),
    ...(one.reason !== undefined && { facts: [[texts[lang].notSent, one.reason] as const] }),
  }))
}

export const exportSection: ExportSection = {
  title,
  count: async (viewer) => (await read.count(viewer)).count,
  async *documents(viewer, lang) {
    yield {
      path: 'scheduled',
      title: title[lang],
      layout: 'list',
      pages: () => yieldOnePage(() => readRecords(viewer, lang)),
    }
  },
}
