import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { callEndpoint, requestCsrf } from '#web/api.ts'
import { useErrorText } from '#web/errors.ts'
import { invitationEndpoints } from '../contract.ts'
import { cardPage } from './typed-code.ts'

async function checkInvitation(invitation: string) {
  await requestCsrf()
  await callEndpoint(invitationEndpoints.check, { invitation })
}

/** In the fragment, which browsers do not send to servers; empty if there is none. */
const readCode = () => {
  try {
    return decodeURIComponent(location.hash.slice(1)).slice(0, 100)
  } catch {
    return ''
  }
}

/**
 * First the code in the URL, later typed ones. A typed code that is valid becomes part of the URL, so that a
 * reload keeps it. The code of a log-in card leads to its own page.
 */
export function useInvitationCode() {
  const explain = useErrorText()
  const [code, setCode] = useState(readCode)
  const { mutate, error, isIdle, isPending, isSuccess } = useMutation({ mutationFn: checkInvitation })
  const begun = useRef(false)
  const [isTyped, setTyped] = useState(false)
  const [, go] = useLocation()
  useEffect(() => {
    if (begun.current || !code) return
    begun.current = true
    const card = cardPage(code)
    if (card) go(card, { replace: true })
    else mutate(code)
  }, [mutate, go, code])
  return {
    code,
    error: error && explain(error),
    isChecking: Boolean(code) && (isIdle || isPending),
    isTyped,
    isValid: isSuccess,
    check(typed: string) {
      const card = cardPage(typed)
      if (card) return go(card)
      begun.current = true
      setTyped(true)
      setCode(typed)
      mutate(typed, {
        onSuccess: () => history.replaceState(history.state, '', `#${encodeURIComponent(typed)}`),
      })
    },
  }
}
