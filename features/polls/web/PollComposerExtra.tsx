import { ChartBarBig } from 'lucide-react'
import { Suspense } from 'react'
import type { ComposerExtra, EditorProps } from '#web/composer-extras.ts'
import { lazyWithRetry } from '#web/lazyWithRetry.ts'
import type { NewPollInput } from '../contract.ts'

const PollEditor = lazyWithRetry(() => import('./PollEditor.tsx'))

const extra: ComposerExtra<NewPollInput> = {
  name: 'poll',
  label: { en: 'Poll', ja: '投票・出欠' },
  icon: ChartBarBig,
  isForMessages: true,
  initial: { kind: 'choice', options: ['', ''] },
  Editor: (props: EditorProps<NewPollInput>) => (
    <Suspense fallback={<div style={{ minBlockSize: 260 }} />}>
      <PollEditor {...props} />
    </Suspense>
  ),
}
export default extra
