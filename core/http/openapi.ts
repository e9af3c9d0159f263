import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema'
import type { GenericSchema } from 'valibot'
import { appVersion } from '#core/environment/version.ts'
import type { ServedEndpoint, ServedEndpoints } from '#core/schemas.ts'

const why: Record<number, string> = {
  401: 'Not logged in',
  403: 'Not allowed',
  404: 'No such record',
  413: 'Body or file too large',
  415: 'Body of a type the call does not take',
  416: 'The file has no such range',
  419: 'Anti-forgery token missing or wrong',
  421: 'The server has no account yet, and the Host header names another one',
  422: 'A field is wrong',
  423: 'The member must confirm first that it is them',
  429: 'Too many tries; Retry-After says when',
  500: 'Our fault; the id is in the log',
  503: 'Shutting down, or pictures cannot be stored just now',
  507: 'The disk is full',
}

const schemaOf = (schema: GenericSchema, typeMode: ConversionConfig['typeMode']) => {
  const { $schema: _, ...rest } = toJsonSchema(schema, { errorMode: 'ignore', ...(typeMode && { typeMode }) })
  return rest
}
type ObjectSchema = { properties?: Record<string, object>; required?: string[] }

const bodied = ({ method }: ServedEndpoint) => method !== 'GET' && method !== 'DELETE'

function refusalsOf(endpoint: ServedEndpoint): number[] {
  const { access, method, path, options } = endpoint
  return [
    ...(access === 'anyone' ? [] : [401]),
    ...(access === 'admin' || access === 'moderator' ? [403] : []),
    // Requests other than GET need the anti-forgery token (419), may write to the disk (507), and may have a
    // body (413, 415), which is parsed even if the endpoint takes no input.
    ...(method === 'GET' ? [] : [413, 415, 419, 507]),
    // Adds 404 for a path with a parameter such as `:id`, because the record that it names may not exist.
    ...(path.includes(':') ? [404] : []),
    ...(options.download ? [416] : []),
    ...(options.needsConfirmation ? [423] : []),
    ...(options.errorStatuses ?? []),
    421,
    422,
    429,
    500,
    503,
  ].sort()
}

/** Returns the OpenAPI 3.1 document of the contracts (https://spec.openapis.org/oas/v3.1.1.html). */
export function openApiDocument(name: string, contracts: Readonly<Record<string, ServedEndpoints>>) {
  const paths: Record<string, Record<string, object>> = {}
  for (const [feature, contract] of Object.entries(contracts))
    for (const [operation, endpoint] of Object.entries(contract))
      (paths[endpoint.path.replace(/:(\w+)/g, '{$1}')] ??= {})[endpoint.method.toLowerCase()] = describe(
        `${feature}.${operation}`,
        endpoint,
      )
  return {
    openapi: '3.1.0',
    info: { title: name, version: appVersion, license: { name: 'MIT', identifier: 'MIT' } },
    paths,
    components: {
      schemas: {
        Refusal: {
          type: 'object',
          required: ['message'],
          properties: {
            message: { type: 'string' },
            waits: { const: true, description: 'Somebody has been asked, and decides.' },
            errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
            id: { type: 'string' },
          },
          additionalProperties: false,
        },
      },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: 'engawa_session' },
        token: {
          type: 'apiKey',
          in: 'header',
          name: 'X-XSRF-TOKEN',
          description: 'The URL-decoded value of the XSRF-TOKEN cookie',
        },
      },
    },
  }
}

function describe(operation: string, endpoint: ServedEndpoint) {
  const { access, method } = endpoint
  const needsSession = access !== 'anyone' && access !== 'reader'
  const security = { ...(needsSession && { session: [] }), ...(method !== 'GET' && { token: [] }) }
  return {
    operationId: operation,
    ...(Object.keys(security).length ? { security: [security] } : {}),
    parameters: parameters(endpoint),
    ...(bodied(endpoint) && body(endpoint)),
    responses: {
      ...successes(endpoint),
      ...Object.fromEntries(refusalsOf(endpoint).map((status) => [status, refusal(status)])),
    },
  }
}

/**
 * Returns the successful responses by status. A 204 endpoint with an optional output has two (204 and 200),
 * and so has a download (200 and 206).
 */
function successes(endpoint: ServedEndpoint) {
  const { status = 200, download } = endpoint.options
  if (download)
    return { 200: success(endpoint), 206: { ...success(endpoint), description: 'A range of the file' } }
  if (status !== 204) return { [status]: success(endpoint) }
  const empty = { 204: { description: 'Done' } }
  return endpoint.output.type === 'optional' ? { ...empty, 200: success(endpoint) } : empty
}

function success({ options, output }: ServedEndpoint) {
  if (options.download) return { description: 'The file', content: { [options.download]: {} } }
  return {
    description: 'Done',
    ...(options.paginated && {
      headers: {
        Link: { description: 'rel="next" leads to the next page (RFC 8288)', schema: { type: 'string' } },
      },
    }),
    content: {
      'application/json': {
        schema: schemaOf(output, 'output'),
        ...(options.example && { example: options.example.answer }),
      },
    },
  }
}

const refusal = (status: number) => ({
  description: why[status] ?? 'Refused',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
})

function parameters({ path, method, input, options }: ServedEndpoint) {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!)
  const { properties = {}, required = [] } = schemaOf(input, 'input') as ObjectSchema
  const asked = method === 'GET' ? Object.keys(properties).filter((name) => !inPath.includes(name)) : []
  return [
    ...inPath.map((name) => ({ name, in: 'path', required: true, schema: properties[name] ?? {} })),
    ...asked.map((name) => ({
      name,
      in: 'query',
      required: required.includes(name),
      schema: properties[name]!,
      ...(options.example?.query[name] !== undefined && { example: options.example.query[name] }),
    })),
  ]
}

function body({ path, input, options }: ServedEndpoint) {
  const { properties = {}, required = [] } = schemaOf(input, 'input') as ObjectSchema
  const inPath = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name!))
  const fields = Object.fromEntries(Object.entries(properties).filter(([name]) => !inPath.has(name)))
  const files = Object.entries(options.files ?? {}).map(([name, { max }]) => {
    const file = { type: 'string', contentMediaType: 'image/*' }
    return [max > 1 ? `${name}[]` : name, max > 1 ? { type: 'array', items: file, maxItems: max } : file]
  })
  if (!Object.keys(fields).length && !files.length) return {}
  const schema = {
    type: 'object',
    properties: { ...fields, ...Object.fromEntries(files) },
    required: required.filter((name) => !inPath.has(name)),
  }
  return {
    requestBody: { content: { [files.length ? 'multipart/form-data' : 'application/json']: { schema } } },
  }
}
