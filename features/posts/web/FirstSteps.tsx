import './first-steps.css'
import { useQuery } from '@tanstack/react-query'
import { Camera, Check, Link2, PenLine, UserPlus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Me } from '#features/people/contract.ts'
import { api } from '#web/api.ts'
import { copyText } from '#web/clipboard.ts'
import { useText } from '#web/i18n.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { initialAnswer } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import { toast } from '#web/ui/Toasts.tsx'
import { posts, type FirstSteps as Steps } from '../contract.ts'
import { postsText } from './text.ts'

const FRESH = 30_000
const hiddenKey = (id: number) => `engawa:no-first-steps:${id}`

/** Suggests to a new member what to do next, until all of it is done or the member hides it. */
export function FirstSteps({ me }: { me: Me }) {
  const t = useText(postsText)
  const [hidden, setHidden] = useState(() => readLocal(hiddenKey(me.id)) !== null)
  const first = initialAnswer(posts.firstSteps)
  const { data } = useQuery({
    queryKey: [posts.firstSteps.path],
    queryFn: () => api(posts.firstSteps, {}),
    initialData: () => first?.body as Steps | undefined,
    // The answer inside the page is forgotten when the reader follows somebody: then it is fetched again.
    staleTime: first ? FRESH : 0,
    enabled: !hidden,
  })
  if (hidden || !data || (me.profile_image && data.follows && data.posted)) return null
  const copy = () =>
    copyText(location.origin).then(
      () => toast(t.copied),
      () => toast(location.origin),
    )
  return (
    <section className="first-steps boards flush" aria-label={t.firstSteps}>
      <header className="board">
        <h2>{t.firstSteps}</h2>
        <Button
          kind="bare"
          only
          icon={X}
          label={t.hideSteps}
          onClick={() => {
            writeLocal(hiddenKey(me.id), '1')
            setHidden(true)
            document.querySelector<HTMLElement>('#main h1')?.focus()
          }}
        />
      </header>
      <ul>
        <Step done={me.profile_image !== null} icon={Camera} href="/edit">
          {t.stepPicture}
        </Step>
        {data.others ? (
          <Step done={data.follows} icon={UserPlus} href="/follow">
            {t.stepFollow}
          </Step>
        ) : (
          <li>
            <button type="button" className="row" onClick={copy}>
              <Icon of={Link2} />
              {t.stepInvite}
            </button>
          </li>
        )}
        <Step done={data.posted} icon={PenLine} href="/post">
          {t.stepPost}
        </Step>
      </ul>
    </section>
  )
}

interface StepProps {
  done: boolean
  icon: LucideIcon
  href: string
  children: ReactNode
}
function Step({ done, icon, href, children }: StepProps) {
  const t = useText(postsText)
  return (
    <li>
      {done ? (
        <span className="row" data-done="">
          <Icon of={Check} />
          <span>
            {children}
            <span className="hide"> ({t.stepDone})</span>
          </span>
        </span>
      ) : (
        <Link className="row" href={href}>
          <Icon of={icon} />
          {children}
        </Link>
      )}
    </li>
  )
}
