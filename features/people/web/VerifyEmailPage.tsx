import './account-pages.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useParams } from 'wouter'
import { ApiError, callEndpoint } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Notice } from '#web/ui/Notice.tsx'
import { DecorativeAvatars, PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { SpecificationTextWithTranslation } from '#web/ui/SpecificationTextWithTranslation.tsx'
import { peopleEndpoints } from '../contract.ts'
import { logInAndProfileSpecificationTextPropsByName, signUpLogInAndProfileText } from './account-text.ts'
import { ForeignAccount, type Registered, useRegisteredToast } from './ForeignAccount.tsx'
import { ResendVerificationMailButton, WhereToFindVerificationLinkSentence } from './VerifyEmailNotice.tsx'

const REDIRECT_AFTER = 1000

interface Verification {
  isVerified: boolean
  /** The server's message about the verification link; null if the page was opened without a link. */
  message: string | null
  /** Who has registered the address, if this is not a browser of the account. */
  registered?: Registered
}

/**
 * The query parameter of a link whose page stays open, so that a person who has not registered the address
 * can choose what to do.
 */
const STAY = 'stay'

/**
 * Verifies the e-mail address with the link. Without a link, asks the server whether the address of the
 * current member is verified.
 */
async function verify({ id, hash }: { id?: string; hash?: string }, search: string): Promise<Verification> {
  if (!id || !hash)
    return {
      isVerified: (await callEndpoint(peopleEndpoints.me, {})).email_verified_at !== null,
      message: null,
    }
  const { [STAY]: _, ...given } = Object.fromEntries(new URLSearchParams(search))
  return { isVerified: true, ...(await callEndpoint(peopleEndpoints.verify, { ...given, id, hash })) }
}

export default function VerifyEmailPage() {
  const t = useText(signUpLogInAndProfileText)
  const params = useParams<{ id?: string; hash?: string }>()
  const [, go] = useLocation()
  // Stores the URL of this page, which has the verification link: after a navigation `location` is already
  // the URL of the next page, while this page stays on the screen until the next one has loaded.
  const [link] = useState(() => ({ path: location.pathname, search: location.search }))
  const client = useQueryClient()
  const showRegisteredToast = useRegisteredToast()
  const { data, error } = useQuery({
    queryKey: ['verify', link.path, link.search],
    queryFn: () => verify(params, link.search),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  useEffect(() => {
    if (!data?.isVerified) return
    client.invalidateQueries({ queryKey: [peopleEndpoints.me.path] })
    if (new URLSearchParams(link.search).has(STAY)) return
    const leave = () => {
      if (data.registered)
        showRegisteredToast(data.registered, () => go(`${link.path}${link.search}&${STAY}=1`))
      go('/')
    }
    const timer = setTimeout(leave, REDIRECT_AFTER)
    return () => clearTimeout(timer)
  }, [data, client, go, link, showRegisteredToast])

  return (
    <PageLayout kind="narrow">
      <PageHeader title={t.verifyTitle}>
        <DecorativeAvatars />
      </PageHeader>
      <div className="card alone form-card">
        {data?.isVerified && <Notice kind="success">{data.message ?? t.verified}</Notice>}
        {data?.registered && (
          <ForeignAccount registered={data.registered} link={{ ...params, search: link.search }} />
        )}
        {data && !data.isVerified && <NotVerified />}
        {error && <Failed error={error} />}
        {!data && !error && (
          <p className="loading" role="status">
            <span>
              <SpecificationTextWithTranslation {...logInAndProfileSpecificationTextPropsByName.verifying} />
            </span>
          </p>
        )}
      </div>
    </PageLayout>
  )
}

/**
 * Renders a text for a member who opened the page without a verification link. The text says how to get a
 * link.
 */
function NotVerified() {
  const t = useText(signUpLogInAndProfileText)
  const me = useMe()
  if (!me) return null
  if (me.email === null)
    return (
      <>
        <Notice kind="warning">{t.noEmail}</Notice>
        <ButtonLink fullWidth href="/account">
          {t.toAccount}
        </ButtonLink>
      </>
    )
  return (
    <>
      <Notice kind="warning">
        <WhereToFindVerificationLinkSentence me={me} />
      </Notice>
      <ResendVerificationMailButton me={me}>{t.sendLinkAgain}</ResendVerificationMailButton>
      <ButtonLink fullWidth href="/">
        {t.backToTop}
      </ButtonLink>
    </>
  )
}

function Failed({ error }: { error: Error }) {
  const t = useText(signUpLogInAndProfileText)
  const explain = useErrorFormatter()
  const me = useMe()
  const says = error instanceof ApiError && (error.status === 0 || (error.message && error.status !== 401))
  return (
    <>
      <Notice kind="error">
        <SpecificationTextWithTranslation {...logInAndProfileSpecificationTextPropsByName.verifyFailed} />
        {says && <small>{explain(error)}</small>}
      </Notice>
      {me ? (
        <>
          {me.email !== null && !me.email_verified_at && (
            <ResendVerificationMailButton me={me}>{t.sendLinkAgain}</ResendVerificationMailButton>
          )}
          <ButtonLink fullWidth href="/">
            {t.backToTop}
          </ButtonLink>
        </>
      ) : (
        <ButtonLink fullWidth href="/login?next=%2Fdashboard">
          {t.logIn}
        </ButtonLink>
      )}
    </>
  )
}
