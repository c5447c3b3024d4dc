// SPDX-License-Identifier: Apache-2.0

// Command controlplane is every program of a Kubernetes test cluster in one file: the real etcd, API
// server, scheduler and controller manager, kubectl, and nodes that exist on paper only. They share
// most of their code, so that one file builds in little more than the time of the largest. The name
// it is called by, or else its first argument, tells which one to be.
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	kubectl "k8s.io/kubectl/pkg/cmd"
	kubectlutil "k8s.io/kubectl/pkg/cmd/util"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllers "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"

	_ "k8s.io/component-base/logs/json/register"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
)

var programs = map[string]func() *cobra.Command{
	"kube-apiserver":          func() *cobra.Command { return apiserver.NewAPIServerCommand() },
	"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand(scheduler.WithPlugin(holdName, newHold)) },
	"kube-controller-manager": controllers.NewControllerManagerCommand,
	"nodes":                   newNodesCommand,
	"reset":                   newResetCommand,
	"fill":                    newFillCommand,
}

const usage = `usage: controlplane PROGRAM [OPTION...]
PROGRAM: etcd kube-apiserver kube-scheduler kube-controller-manager kubectl nodes reset fill`

func main() {
	program := filepath.Base(os.Args[0])
	if program != "kubectl" && program != "etcd" && programs[program] == nil {
		if len(os.Args) < 2 {
			fmt.Fprintln(os.Stderr, usage)
			os.Exit(2)
		}
		program = os.Args[1]
		os.Args = append([]string{program}, os.Args[2:]...)
	}
	if program == "kubectl" { // words its errors itself
		if err := cli.RunNoErrOutput(kubectl.NewDefaultKubectlCommand()); err != nil {
			kubectlutil.CheckErr(err)
		}
		return
	}
	if program == "etcd" {
		etcdmain.Main(os.Args)
		return
	}
	start := programs[program]
	if start == nil {
		fmt.Fprintln(os.Stderr, errors.New("no program "+program+"\n"+usage))
		os.Exit(2)
	}
	os.Exit(cli.Run(start()))
}
