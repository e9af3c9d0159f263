import { afterAll } from 'vitest'
import { stopServers } from './server.ts'

// Vitest runs this file before each test file.
afterAll(stopServers)
