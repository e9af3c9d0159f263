import { CheckCheck } from 'lucide-react'
import { useMayTell } from '#features/posts/web/may-tell.ts'
import type { ComposerExtra, EditorProps } from '#web/composer-extras.ts'
import { defineTexts, useText } from '#web/i18n.ts'
import { toLocal } from '#web/local-time.ts'
import { Field } from '#web/ui/Field.tsx'

interface Request {
  /** ISO 8601. */
  until?: string
}

const text = defineTexts({
  en: {
    help: 'Those who may see the post are asked to say “I have read this”. You see who has.',
    until: 'Answers until (optional)',
  },
  ja: {
    help: 'この投稿を見られる人に、「読みました」を押してもらいます。だれが読んだかわかります。',
    until: '回答期限（任意）',
  },
})

function RequestEditor({ value, onChange, disabled }: EditorProps<Request>) {
  const t = useText(text)
  return (
    <div>
      <p className="text-meta">{t.help}</p>
      <Field
        type="datetime-local"
        label={t.until}
        value={value.until ? toLocal(value.until) : ''}
        disabled={disabled}
        onChange={({ target: { value: local } }) =>
          onChange(local ? { until: new Date(local).toISOString() } : {})
        }
      />
    </div>
  )
}

export default {
  name: 'acknowledgement',
  label: { en: 'Ask who has read it', ja: '確認をお願い' },
  icon: CheckCheck,
  initial: {},
  useIsOffered: useMayTell,
  Editor: RequestEditor,
} satisfies ComposerExtra<Request>
