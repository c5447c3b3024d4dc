// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/component-base/version"
)

// What a test asks of a node or a pod, by annotations on it.
const (
	nodeNotReady      = "schedlens.test/not-ready"      // node: reports Ready=False with this message
	nodeSilent        = "schedlens.test/silent"         // node: reports nothing and does nothing
	nodeUnhealthyGPUs = "schedlens.test/unhealthy-gpus" // node: so many GPUs leave allocatable
	podRunSeconds     = "schedlens.test/run-seconds"    // pod: ends so long after its start
	podExitCode       = "schedlens.test/exit-code"      // pod: how it ends, 0 if not said
	podWaiting        = "schedlens.test/waiting"        // pod: never starts, for this reason
	podHang           = "schedlens.test/hang"           // pod: stays terminating
	podDevices        = "schedlens.test/devices"        // pod: its devices and their health
)

const gpuResource = corev1.ResourceName("nvidia.com/gpu")

const (
	gpusPerNode  = 8
	nodesPerRack = 8
	racksPerZone = 4
	namePrefix   = "gpu-"
)

// fleet is the set of nodes on paper: gpu-001, gpu-002...
type fleet struct {
	count       int
	kubeletPort int32 // 0: nobody listens, and addresses lead nowhere
}

func (f fleet) name(i int) string { return fmt.Sprintf("%s%03d", namePrefix, i+1) }

func (f fleet) has(name string) bool {
	number, err := strconv.Atoi(strings.TrimPrefix(name, namePrefix))
	return err == nil && number >= 1 && number <= f.count && f.name(number-1) == name
}

// labels of node i: racks of eight nodes, zones of four racks; the last quarter has older GPUs.
func (f fleet) labels(i int) map[string]string {
	product, kind, memory := "NVIDIA-H100-80GB-HBM3", "h100.8x", "81559"
	if i >= f.count-f.count/4 {
		product, kind, memory = "NVIDIA-A100-SXM4-80GB", "a100.8x", "81920"
	}
	rack := i / nodesPerRack
	return map[string]string{
		corev1.LabelHostname:           f.name(i),
		corev1.LabelOSStable:           "linux",
		corev1.LabelArchStable:         "amd64",
		corev1.LabelInstanceTypeStable: kind,
		corev1.LabelTopologyRegion:     "lab",
		corev1.LabelTopologyZone:       fmt.Sprintf("zone-%d", rack/racksPerZone+1),
		"rack":                         fmt.Sprintf("rack-%03d", rack+1),
		"nvidia.com/gpu.present":       "true",
		"nvidia.com/gpu.product":       product,
		"nvidia.com/gpu.memory":        memory,
		"nvidia.com/gpu.count":         strconv.Itoa(gpusPerNode),
	}
}

// loopback address of node i.
func (f fleet) loopback(i int) string { return fmt.Sprintf("127.%d.%d.10", 64+i/256, i%256) }

func (f fleet) address(i int) string {
	if f.kubeletPort > 0 {
		return f.loopback(i)
	}
	return fmt.Sprintf("10.%d.%d.10", 64+i/256, i%256)
}

func (f fleet) node(i int) *corev1.Node {
	capacity := corev1.ResourceList{
		corev1.ResourceCPU:              resource.MustParse("96"),
		corev1.ResourceMemory:           resource.MustParse("1Ti"),
		corev1.ResourceEphemeralStorage: resource.MustParse("3Ti"),
		corev1.ResourcePods:             resource.MustParse("110"),
		gpuResource:                     *resource.NewQuantity(gpusPerNode, resource.DecimalSI),
	}
	return &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: f.name(i), Labels: f.labels(i)},
		Status: corev1.NodeStatus{
			Capacity:    capacity,
			Allocatable: capacity.DeepCopy(),
			Conditions:  nodeConditions("", nil, metav1.Now()),
			Addresses: []corev1.NodeAddress{
				{Type: corev1.NodeInternalIP, Address: f.address(i)},
				{Type: corev1.NodeHostName, Address: f.name(i)},
			},
			DaemonEndpoints: corev1.NodeDaemonEndpoints{
				KubeletEndpoint: corev1.DaemonEndpoint{Port: f.kubeletPort},
			},
			NodeInfo: corev1.NodeSystemInfo{
				OperatingSystem: "linux", Architecture: "amd64", OSImage: "paper", KernelVersion: "6.1.0",
				KubeletVersion: version.Get().GitVersion, ContainerRuntimeVersion: "paper://1",
			},
		},
	}
}

// nodeConditions as a kubelet reports them; the time of the last change is kept where there was none.
func nodeConditions(notReady string, old []corev1.NodeCondition, now metav1.Time) []corev1.NodeCondition {
	conditions := []corev1.NodeCondition{
		{Type: corev1.NodeMemoryPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasSufficientMemory", Message: "kubelet has sufficient memory available"},
		{Type: corev1.NodeDiskPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasNoDiskPressure", Message: "kubelet has no disk pressure"},
		{Type: corev1.NodePIDPressure, Status: corev1.ConditionFalse, Reason: "KubeletHasSufficientPID", Message: "kubelet has sufficient PID available"},
		{Type: corev1.NodeReady, Status: corev1.ConditionTrue, Reason: "KubeletReady", Message: "kubelet is posting ready status"},
	}
	if notReady != "" {
		ready := &conditions[len(conditions)-1]
		ready.Status, ready.Reason, ready.Message = corev1.ConditionFalse, "KubeletNotReady", notReady
	}
	for i := range conditions {
		condition := &conditions[i]
		condition.LastHeartbeatTime, condition.LastTransitionTime = now, now
		for _, was := range old {
			if was.Type == condition.Type && was.Status == condition.Status {
				condition.LastTransitionTime = was.LastTransitionTime
			}
		}
	}
	return conditions
}

// connect without a limit of our own on requests: the fleet stands for thousands of clients.
func connect(kubeconfig string) (*rest.Config, *kubernetes.Clientset, error) {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return nil, nil, err
	}
	config.QPS = -1
	config.WarningHandler = rest.NoWarnings{} // of APIs that are to go: reset reads them all
	proto := rest.CopyConfig(config)
	proto.ContentType = "application/vnd.kubernetes.protobuf"
	proto.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	client, err := kubernetes.NewForConfig(proto)
	return config, client, err
}
