import { defineTexts } from '#web/i18n.ts'
import { aroundName, aroundSan } from './text.ts'

export const announcerText = defineTexts({
  en: {
    announcer: 'Tells everybody',
    trust: {
      item: 'Let tell everybody…',
      title: aroundName('Let ', ' tell everybody?'),
      help: 'They can tell everybody of a post, and ask who has read it, as admins can.',
      verb: 'Let tell everybody',
      done: aroundName('', ' can tell everybody now.'),
    },
    distrust: {
      item: 'No longer let tell everybody…',
      title: aroundName('No longer let ', ' tell everybody?'),
      help: 'Posts that asked for an answer stay as they are.',
      verb: 'Take the right back',
      done: aroundName('', ' can no longer tell everybody.'),
    },
  },
  ja: {
    announcer: 'お知らせ係',
    trust: {
      item: 'お知らせ係にする…',
      title: aroundSan('', 'をお知らせ係にしますか？'),
      help: '管理者と同じように、みんなにお知らせしたり、投稿を読んだかどうか確認をお願いしたりできます。',
      verb: 'お知らせ係にする',
      done: aroundSan('', 'をお知らせ係にしました。'),
    },
    distrust: {
      item: 'お知らせ係から外す…',
      title: aroundSan('', 'をお知らせ係から外しますか？'),
      help: 'これまでに確認をお願いした投稿は、そのまま残ります。',
      verb: 'お知らせ係から外す',
      done: aroundSan('', 'をお知らせ係から外しました。'),
    },
  },
})
