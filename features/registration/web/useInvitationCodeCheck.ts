import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { callEndpoint, requestCsrfTokenCookie } from '#web/api.ts'
import { useErrorFormatter } from '#web/errors.ts'
import { invitationEndpoints } from '../invitation-contract.ts'

async function checkInvitation(invitation: string) {
  await requestCsrfTokenCookie()
  await callEndpoint(invitationEndpoints.check, { invitation })
}

/**
 * Returns the invitation code in the fragment of the URL; an empty text if there is none. Browsers do not
 * send the fragment to servers.
 */
const readCode = () => {
  try {
    return decodeURIComponent(location.hash.slice(1)).slice(0, 100)
  } catch {
    return ''
  }
}

/**
 * Checks the code of an invitation: first the code in the URL, if there is one, later those that the person
 * types. A typed code that is valid becomes part of the URL, so that a reload keeps it. Returns the code, the
 * result of the check, and a function that checks a typed code.
 */
export function useInvitationCodeCheck() {
  const explain = useErrorFormatter()
  const [code, setCode] = useState(readCode)
  const { mutate, error, isIdle, isPending, isSuccess } = useMutation({ mutationFn: checkInvitation })
  const begun = useRef(false)
  const [isTyped, setTyped] = useState(false)
  useEffect(() => {
    if (begun.current || !code) return
    begun.current = true
    mutate(code)
  }, [mutate, code])
  return {
    code,
    error: error && explain(error),
    isChecking: Boolean(code) && (isIdle || isPending),
    isTyped,
    isValid: isSuccess,
    check(typed: string) {
      begun.current = true
      setTyped(true)
      setCode(typed)
      mutate(typed, {
        onSuccess: () => history.replaceState(history.state, '', `#${encodeURIComponent(typed)}`),
      })
    },
  }
}
