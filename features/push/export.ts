import type { MemberContext } from '#core/context.ts'
import type { Language } from '#core/contract.ts'
import { type ExportRecord, type ExportSection, yieldOnePage } from '#core/feature/exports.ts'
import type { PushPrivacy } from './contract.ts'
import * as read from './read.ts'

const texts = {
  en: {
    title: 'Notifications on devices',
    device: 'Device',
    lastSent: 'Last notification',
    privacy: 'Shown',
    text: 'Name and text',
    name: 'Name',
    none: 'Neither name nor text',
  },
  ja: {
    title: '端末への通知',
    device: '端末',
    lastSent: '最後の通知',
    privacy: '表示内容',
    text: '名前と本文',
    name: '名前',
    none: '名前も本文も表示しない',
  },
} satisfies Record<Language, Record<PushPrivacy | 'title' | 'device' | 'lastSent' | 'privacy', string>>

async function readRecords(viewer: MemberContext, lang: Language): Promise<ExportRecord[]> {
  const t = texts[lang]
  const privacy = await read.getPrivacy(viewer.db, viewer.me.id)
  const devices = await read.listDevices(viewer, '')
  return [
    { data: { privacy }, facts: [[t.privacy, t[privacy]]] },
    ...devices.map(
      ({ device, created_at, last_sent_at }): ExportRecord => ({
        data: { device, created_at, last_sent_at },
        time: created_at,
        facts: [
          ...(device === null ? [] : [[t.device, device] as const]),
          ...(last_sent_at === null ? [] : [[t.lastSent, { time: last_sent_at }] as const]),
        ],
      }),
    ),
  ]
}

/** Without push URLs and keys. */
export const exportSection: ExportSection = {
  title: { en: texts.en.title, ja: texts.ja.title },
  count: async () => 1,
  async *documents(viewer, lang) {
    yield {
      path: 'devices',
      title: texts[lang].title,
      layout: 'start',
      pages: () => yieldOnePage(() => readRecords(viewer, lang)),
    }
  },
}
