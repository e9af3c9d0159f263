import './people.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { ApiError, api } from '#web/api.ts'
import { useExplain } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { EmptyAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { QuotedText } from '#web/ui/QuotedText.tsx'
import { people } from '../contract.ts'
import { accountText, fixed } from './account-text.ts'
import { GetLink, HowToVerify } from './VerifyNotice.tsx'

const REDIRECT_AFTER = 1000

interface Verification {
  isVerified: boolean
  /** The server's message about the link; null without a link. */
  message: string | null
}

/** Verifies by the mail's link. Without a link, asks whether the address of the member is verified. */
async function verify({ id, hash }: { id?: string; hash?: string }, search: string): Promise<Verification> {
  if (!id || !hash)
    return { isVerified: (await api(people.me, {})).email_verified_at !== null, message: null }
  const given = Object.fromEntries(new URLSearchParams(search))
  return { isVerified: true, ...(await api(people.verify, { ...given, id, hash })) }
}

export default function VerifyEmailPage() {
  const t = useText(accountText)
  const params = useParams<{ id?: string; hash?: string }>()
  const [, go] = useLocation()
  // Keeps the link's address: after a navigation, `location` is the address of the next page, while this page
  // stays on the screen until the next one has loaded.
  const [link] = useState(() => ({ path: location.pathname, search: location.search }))
  const client = useQueryClient()
  const { data, error } = useQuery({
    queryKey: ['verify', link.path, link.search],
    queryFn: () => verify(params, link.search),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => {
    if (!data?.isVerified) return
    client.invalidateQueries({ queryKey: [people.me.path] })
    const timer = setTimeout(() => go('/'), REDIRECT_AFTER)
    return () => clearTimeout(timer)
  }, [data, client, go])

  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.verifyTitle}>
        <EmptyAvatars />
      </PageHeader>
      <div className="board alone form-board">
        {data?.isVerified && <Notice kind="good">{data.message ?? t.verified}</Notice>}
        {data && !data.isVerified && <NotVerified />}
        {error && <Failed error={error} />}
        {!data && !error && (
          <p className="loading" role="status">
            <span>
              <QuotedText {...fixed.verifying} />
            </span>
          </p>
        )}
      </div>
    </PageLayout>
  )
}

/** For a member who came without a link: says how to get it. */
function NotVerified() {
  const t = useText(accountText)
  const me = useMe()
  if (!me) return null
  return (
    <>
      <Notice kind="warn">
        <HowToVerify me={me} />
      </Notice>
      <GetLink me={me}>{t.sendLinkAgain}</GetLink>
    </>
  )
}

function Failed({ error }: { error: Error }) {
  const t = useText(accountText)
  const explain = useExplain()
  const me = useMe()
  const says = error instanceof ApiError && (error.status === 0 || (error.message && error.status !== 401))
  return (
    <>
      <Notice kind="bad">
        <QuotedText {...fixed.verifyBad} />
        {says && <small>{explain(error)}</small>}
      </Notice>
      {me ? (
        !me.email_verified_at && <GetLink me={me}>{t.sendLinkAgain}</GetLink>
      ) : (
        <ButtonLink full href="/login?next=%2Fdashboard">
          {t.logIn}
        </ButtonLink>
      )}
    </>
  )
}
