import './first-steps.css'
import { useQuery } from '@tanstack/react-query'
import { Camera, Check, Link2, PenLine, Send, UserPlus, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Me } from '#features/people/contract.ts'
import { callEndpoint } from '#web/api.ts'
import { copyText } from '#web/clipboard.ts'
import { useText } from '#web/i18n.ts'
import { readLocal, writeLocal } from '#web/local-storage.ts'
import { findAnswer, pageData } from '#web/page-data.ts'
import { Button } from '#web/ui/Button.tsx'
import { Icon, type LucideIcon } from '#web/ui/Icon.tsx'
import { Link } from '#web/ui/Link.tsx'
import { showToast } from '#web/ui/Toasts.tsx'
import { hasPage } from '#web/views.tsx'
import { type FirstStepsState, postEndpoints } from '../contract.ts'
import { postsText } from './text.ts'

const STALE_TIME = 30_000
const hiddenKey = (id: number) => `engawa:no-first-steps:${id}`

/** Shown until a new member has done all steps or hides the card. */
export function FirstStepsCard({ me }: { me: Me }) {
  const t = useText(postsText)
  const [isHidden, setIsHidden] = useState(() => readLocal(hiddenKey(me.id)) !== null)
  const first = findAnswer(postEndpoints.firstSteps)
  const { data } = useQuery({
    queryKey: [postEndpoints.firstSteps.path],
    queryFn: () => callEndpoint(postEndpoints.firstSteps, {}),
    initialData: () => first?.body as FirstStepsState | undefined,
    // The steps in the HTML page count as fresh for a short time. After the member follows somebody,
    // `findAnswer` no longer returns them, and the card fetches them when it is shown again.
    staleTime: first ? STALE_TIME : 0,
    enabled: !isHidden,
  })
  if (isHidden || !data || (me.profile_image && data.follows && data.posted)) return null
  return (
    <section className="first-steps cards flush" aria-label={t.firstSteps}>
      <header className="card">
        <h2>{t.firstSteps}</h2>
        <Button
          kind="ghost"
          iconOnly
          icon={X}
          label={t.hideFirstSteps}
          onClick={() => {
            writeLocal(hiddenKey(me.id), '1')
            setIsHidden(true)
            document.querySelector<HTMLElement>('#main h1')?.focus()
          }}
        />
      </header>
      <ul>
        <Step isDone={me.profile_image !== null} icon={Camera} href="/edit">
          {t.stepPicture}
        </Step>
        {data.others && (
          <Step isDone={data.follows} icon={UserPlus} href="/follow">
            {t.stepFollow}
          </Step>
        )}
        <InviteStep me={me} others={data.others} />
        <Step isDone={data.posted} icon={PenLine} href="/post">
          {t.stepPost}
        </Step>
      </ul>
    </section>
  )
}

/** The address alone lets nobody in where members are invited. */
function InviteStep({ me, others }: { me: Me; others: boolean }) {
  const t = useText(postsText)
  const { join, membersInvite } = pageData.app
  const path = me.is_admin ? '/admin/new-members' : membersInvite && '/invitations'
  if (path && hasPage(path))
    return (
      <Step isDone={false} icon={Send} href={path}>
        {others ? t.stepInviteMore : t.stepInvite}
      </Step>
    )
  if (others || join === 'closed') return null
  const copy = () =>
    copyText(location.origin).then(
      () => showToast(t.copied),
      () => showToast(location.origin),
    )
  return (
    <li>
      <button type="button" className="row" onClick={copy}>
        <Icon icon={Link2} />
        {t.stepCopy}
      </button>
    </li>
  )
}

interface StepProps {
  isDone: boolean
  icon: LucideIcon
  href: string
  children: ReactNode
}
function Step({ isDone, icon, href, children }: StepProps) {
  const t = useText(postsText)
  return (
    <li>
      {isDone ? (
        <span className="row" data-done="">
          <Icon icon={Check} />
          <span>
            {children}
            <span className="visually-hidden">{t.stepDone}</span>
          </span>
        </span>
      ) : (
        <Link className="row" href={href}>
          <Icon icon={icon} />
          {children}
        </Link>
      )}
    </li>
  )
}
